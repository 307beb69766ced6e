import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";
import { describe, expect, test, vi } from "vitest";
import {
  type CodexCliProviderOptions,
  createClaudeCliProvider,
  createCodexCliProvider,
  messagesToPrompt,
  messagesToXml,
  toChatModel,
} from "../../src/adapters/langchain/index.ts";
import { codex } from "../../src/clis/codex/provider.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { CLI_NAMES, stageCli, valueAfter } from "./adapter-cli.ts";
import { readThread } from "./adapter-thread.ts";
import { getWeather } from "./adapter-tools.ts";

const hello = [new HumanMessage("Hello there")];
const conversation = [new HumanMessage("Hi"), new AIMessage("Hello <you>"), new HumanMessage("How are you?")];

describe("the arguments", () => {
  test("R33 Claude is called with -p and without --no-input; the prompt comes by stdin and is in no argument", async () => {
    const cli = stageCli("claude", "Fine.");
    await cli.adapter().invoke(hello);
    const [call] = await cli.calls();
    expect(call?.argv).toContain("-p");
    expect(call?.argv).not.toContain("--no-input");
    expect(call?.argv.join(" ")).not.toContain("Hello there");
    expect(await cli.prompts()).toEqual([messagesToXml(hello)]);
  });

  test("R54 R55 Codex is called with exec, a read-only sandbox and without --full-auto; the prompt comes by stdin", async () => {
    const cli = stageCli("codex", "Fine.");
    await cli.adapter().invoke(hello);
    const [call] = await cli.calls();
    expect(call?.argv[0]).toBe("exec");
    expect(call?.argv.at(-1)).toBe("-");
    expect(valueAfter(call?.argv, "--sandbox")).toBe("read-only");
    expect(call?.argv).toContain("--skip-git-repo-check");
    expect(call?.argv.filter((argument) => /full-auto|bypass|workspace-write|Hello there/.test(argument))).toEqual([]);
    expect(await cli.prompts()).toEqual([messagesToXml(hello)]);
  });

  test.for(CLI_NAMES)(
    "R33 R54 a prompt too long for an argument, or one that looks like an option, reaches %s whole",
    async (name) => {
      const cli = stageCli(name, "Fine.");
      const messages = [new HumanMessage(`--help\n- first item\n${"ä".repeat(150_000)}`)];
      await cli.adapter({ inputEncoding: "text" }).invoke(messages);
      const [prompt] = await cli.prompts();
      expect(prompt === messagesToPrompt(messages)).toBe(true);
    },
  );

  test.for(CLI_NAMES)("R28 R53 the model chosen reaches %s as --model", async (name) => {
    const cli = stageCli(name, "Fine.");
    await cli.adapter({ model: "some-model" }).invoke(hello);
    expect(valueAfter((await cli.calls())[0]?.argv, "--model")).toBe("some-model");
  });

  test("R28 without a model, or with an empty name, Claude gets no --model", async () => {
    const cli = stageCli("claude", "Fine.");
    await cli.adapter().invoke(hello);
    await cli.adapter({ model: "" }).invoke(hello);
    for (const { argv } of await cli.calls()) expect(argv).not.toContain("--model");
    expect(cli.starts()).toBe(2);
  });

  test("R53 without a model Codex is told that of the user's configuration file, which it does not read itself, or ours", async () => {
    const cli = stageCli("codex", "Fine.");
    await cli.adapter({ env: { CODEX_HOME: cli.folder } }).invoke(hello);
    writeFileSync(join(cli.folder, "config.toml"), 'model = "own-model"\n');
    await cli.adapter({ env: { CODEX_HOME: cli.folder } }).invoke(hello);
    const calls = await cli.calls();
    for (const { argv } of calls) expect(argv).toContain("--ignore-user-config");
    expect(calls.map(({ argv }) => valueAfter(argv, "--model"))).toEqual([codex.defaultModel, "own-model"]);
  });

  test.for([
    { name: "claude", create: createClaudeCliProvider },
    { name: "codex", create: createCodexCliProvider },
  ] as const)("R29 R53 without cliPath the program is the $name of the PATH", async ({ name, create }) => {
    const cli = stageCli(name, "I am on the PATH.");
    vi.stubEnv("PATH", `${cli.folder}:${process.env["PATH"]}`);
    expect((await create().invoke(hello)).text).toBe("I am on the PATH.");
    expect(cli.starts()).toBe(1);
  });

  test("R29 R53 cliPath names another program", async () => {
    const [onPath, chosen] = [stageCli("codex", "On the PATH."), stageCli("codex", "Chosen.")];
    vi.stubEnv("PATH", `${onPath.folder}:${process.env["PATH"]}`);
    const options: CodexCliProviderOptions = {
      cliPath: chosen.cliPath,
      timeout: 60_000,
      maxBuffer: 1_000_000,
      inputEncoding: "xml",
    };
    expect((await createCodexCliProvider(options).invoke(hello)).text).toBe("Chosen.");
    expect([onPath.starts(), chosen.starts()]).toEqual([0, 1]);
  });
});

describe("the prompt", () => {
  test.for(CLI_NAMES)("R32 R34 R39 R7 %s gets only an XML thread by default", async (name) => {
    const cli = stageCli(name, "Fine.");
    await cli.adapter().invoke(conversation);
    await cli.adapter({ inputEncoding: "xml" }).invoke(conversation);
    const prompts = await cli.prompts();
    expect(prompts).toEqual([messagesToXml(conversation), messagesToXml(conversation)]);
    expect(prompts[0]).toMatch(/^<thread>\n {2}<event type="human"/);
    expect(prompts[0]).not.toContain("[User]");
  });

  test.for(CLI_NAMES)("R32 R35 R39 R7 %s gets only labelled blocks on request", async (name) => {
    const cli = stageCli(name, "Fine.");
    await cli.adapter({ inputEncoding: "text" }).invoke(conversation);
    const prompts = await cli.prompts();
    expect(prompts).toEqual([messagesToPrompt(conversation)]);
    expect(prompts[0]).toMatch(/^\[User\]\nHi\n/);
    expect(prompts[0]).not.toContain("<thread>");
  });

  test.for(["xml", "text"] as const)(
    "R34 R35 a system message at the beginning is part of the prompt, with encoding %s",
    async (inputEncoding) => {
      const messages = [new SystemMessage("Be brief."), ...conversation];
      const [claude, codex] = [stageCli("claude", "Fine."), stageCli("codex", "Fine.")];
      for (const cli of [claude, codex]) await cli.adapter({ inputEncoding }).invoke(messages);
      const encode = inputEncoding === "xml" ? messagesToXml : messagesToPrompt;
      expect([await claude.prompts(), await codex.prompts()].flat()).toEqual([encode(messages), encode(messages)]);
    },
  );

  test("R34 R35 a system message within the conversation keeps its place in it", async () => {
    const messages = [new HumanMessage("Hi"), new SystemMessage("From now on, rhyme."), new HumanMessage("How are you?")];
    const cli = stageCli("claude", "Fine.");
    await cli.adapter().invoke(messages);
    await cli.adapter({ inputEncoding: "text" }).invoke(messages);
    expect(await cli.prompts()).toEqual([messagesToXml(messages), messagesToPrompt(messages)]);
  });
});

describe("the CLI is a pure model", () => {
  test("R6 Claude has no tools, settings, servers or commands of its own, and works in an empty directory", async () => {
    const cli = stageCli("claude", "Fine.");
    await cli.adapter().invoke(hello);
    const [call] = await cli.calls();
    expect(valueAfter(call?.argv, "--tools")).toBe("");
    expect(valueAfter(call?.argv, "--setting-sources")).toBe("");
    expect(call?.argv).toEqual(expect.arrayContaining(["--strict-mcp-config", "--disable-slash-commands"]));
    expect(call?.cwd).not.toBe(process.cwd());
  });

  test("R6 R55 Codex has no shell and no configuration of its own, and works in an empty directory", async () => {
    const cli = stageCli("codex", "Fine.");
    await cli.adapter().invoke(hello);
    const [call] = await cli.calls();
    const disabled = call?.argv.filter((_, index) => call.argv[index - 1] === "--disable");
    expect(disabled).toEqual(expect.arrayContaining(["shell_tool", "unified_exec"]));
    expect(call?.argv).toContain("--ignore-user-config");
    expect(call?.cwd).not.toBe(process.cwd());
  });

  test.for(CLI_NAMES)("R6 R55 the agent loop runs the tools that %s asks for and sends it their results", async (name) => {
    const cli = stageCli(name, callBlock({ name: "get_weather", args: { city: "Oslo" }, id: "call_1" }), "It rains.");
    const agent = createAgent({ model: toChatModel(cli.adapter()), tools: [getWeather] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Weather in Oslo?")] });
    expect(messages.map(({ type, text }) => [type, text])).toEqual([
      ["human", "Weather in Oslo?"],
      ["ai", ""],
      ["tool", "Rain in Oslo"],
      ["ai", "It rains."],
    ]);
    expect(messages[2]).toBeInstanceOf(ToolMessage);
    const [, told = ""] = await cli.prompts();
    const events = readThread(told.slice(told.lastIndexOf("<thread>")));
    expect(events.map(({ attributes }) => attributes["type"])).toEqual(["human", "tool_input", "tool_output"]);
    expect(events.at(-1)).toMatchObject({ attributes: { name: "get_weather", status: "success" }, body: "Rain in Oslo" });
  });
});
