import { join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type CliProviderOptions,
  createClaudeCliProvider,
  createCodexCliProvider,
  messagesToXml,
} from "../../src/adapters/langchain/index.ts";
import { createClient } from "../../src/index.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { openTestScope } from "../support/test-scope.ts";
import { CLI_NAMES, stageCli } from "./adapter-cli.ts";
import { readThread } from "./adapter-thread.ts";
import { bind, callsOf, failureOf, getWeather } from "./adapter-tools.ts";

const question = [new HumanMessage("Weather in Oslo?")];
const ready = [
  "\n<thread>",
  '  <event type="system" id="7" iteration="3">Be brief.</event>',
  '  <event type="human" id="8" iteration="3">Weather <in> Oslo?</event>',
  "</thread>\n",
].join("\n");

describe("trustThread", () => {
  test.for(CLI_NAMES)("R22 with trustThread a single message that is a thread reaches %s byte for byte", async (name) => {
    const cli = stageCli(name, "It rains.");
    await cli.adapter({ trustThread: true }).invoke([new HumanMessage(ready)]);
    await bind(cli.adapter({ trustThread: true }), getWeather).invoke([new HumanMessage(ready)]);
    await cli.adapter().invoke([new HumanMessage(ready)]);
    const [alone, behindTools = "", escaped] = await cli.prompts();
    expect(alone).toBe(ready);
    expect(behindTools.endsWith(`\n\n${ready}`)).toBe(true);
    expect(readThread(escaped ?? "").map(({ body }) => body)).toEqual([ready]);
  });

  test("R22 the calls, results and corrections of a loop follow on the events of a trusted thread", async () => {
    const cli = stageCli("codex", unmarked("get_weather"), "It rains.");
    const adapter = bind(cli.adapter({ trustThread: true }), getWeather);
    const call = { name: "get_weather", args: { city: "Oslo" }, id: "call_1" };
    const messages = [
      new SystemMessage("Be kind."),
      new HumanMessage(ready.replace("<in>", "in")),
      new AIMessage({ content: "", tool_calls: [call] }),
      new ToolMessage({ content: ready, tool_call_id: "call_1" }),
      new HumanMessage(ready),
    ];
    expect((await adapter.invoke(messages)).text).toBe("It rains.");
    for (const prompt of await cli.prompts()) {
      const events = readThread(prompt.slice(prompt.lastIndexOf("\n\n<thread>") + 2));
      expect(events.slice(0, 6).map(({ attributes: { type, id } }) => `${id} ${type}`)).toEqual([
        "0 system",
        "1 system",
        "2 human",
        "3 tool_input",
        "4 tool_output",
        "5 human",
      ]);
      expect([events[4]?.body, events[5]?.body]).toEqual([ready, ready]);
    }
  });

  test("R22 messagesToXml takes the option too, and trusts the thread in this call alone", () => {
    expect(messagesToXml([new HumanMessage(ready)], { trustThread: true })).toBe(ready);
    expect(readThread(messagesToXml([new HumanMessage(ready)]))).toHaveLength(1);
  });

  test("R22 labelled blocks have no thread to trust", async () => {
    const cli = stageCli("claude", "Fine.");
    const failure = await failureOf(cli.adapter({ trustThread: true, inputEncoding: "text" }).invoke(question));
    expect(failure).toMatchObject({ code: "bad-request", message: expect.stringContaining("trustThread") });
    expect(cli.starts()).toBe(0);
  });
});

describe("marks", () => {
  test.for(CLI_NAMES)("R38 R41 with marks: false %s is shown the block of the document, and its call counts", async (name) => {
    const cli = stageCli(name, `Let me look.\n${unmarked("get_weather")}`);
    const message = await bind(cli.adapter({ marks: false }), getWeather).invoke(question);
    expect(callsOf(message)).toEqual([{ name: "get_weather", args: { city: "Oslo" }, id: "call_1" }]);
    expect(message.content).toBe("Let me look.");
    const [prompt = ""] = await cli.prompts();
    const block = /```json\n(.*)\n```/.exec(prompt)?.[1] ?? "";
    expect(Object.keys(JSON.parse(block))).toEqual(["tool_calls"]);
    expect(Object.keys(JSON.parse(block).tool_calls[0])).toEqual(["name", "args", "id"]);
    expect(prompt).not.toMatch(/\bmark\b/);
  });

  test("R38 with marks: false the correction shows the block without a mark as well", async () => {
    const cli = stageCli("claude", unmarked("no_such_tool"), unmarked("get_weather"));
    const message = await bind(cli.adapter({ marks: false }), getWeather).invoke(question);
    expect(callsOf(message)).toHaveLength(1);
    const [, correction = ""] = await cli.prompts();
    expect(correction).toContain("[Correction]");
    expect(correction).not.toMatch(/\bmark\b/);
  });

  test.for(CLI_NAMES)(
    "R41 by default the same answer of %s is no call: it gets one correction, and is then refused",
    async (name) => {
      const cli = stageCli(name, unmarked("get_weather"));
      expect(await failureOf(bind(cli.adapter(), getWeather).invoke(question))).toMatchObject({ code: "tool-call-unreadable" });
      expect(cli.starts()).toBe(2);
    },
  );
});

test("a request of a client takes both options, and no other values of them", async () => {
  const client = createClientInScope();
  const tools = [{ name: "clock", description: "Tells the time.", parameters: { type: "object", properties: {} } }];
  const request = { prompt: "Call clock.", tools, hostTools: "text", marks: false } as const;
  const { hostCalls } = await client.run("rehearsal/tool-caller", request).result();
  expect(hostCalls).toMatchObject([{ name: "clock", args: {} }]);
  for (const name of ["trustThread", "marks"])
    expect(() => client.run("rehearsal", { prompt: "Hi", [name]: "no" })).toThrow(`request.${name} must be true or false.`);
});

describe("the client, its policies, and the environment of a call", () => {
  test("R27 R52 env reaches the CLI, and auth decides whether an API key does", async () => {
    const { cliPath } = envPrinter();
    for (const name of ["COXSWAIN_TEST_COLOUR", "OPENAI_API_KEY", "CODEX_API_KEY"]) vi.stubEnv(name, undefined);
    vi.stubEnv("CODEX_API_KEY", "sk-of-the-process");
    const ask = async (options: CliProviderOptions) =>
      (await createCodexCliProvider({ cliPath, warm: false, ...options }).invoke(question)).text;
    expect(await ask({})).toBe("colour none, key sk-of-the-process");
    expect(await ask({ env: { COXSWAIN_TEST_COLOUR: "red" } })).toBe("colour red, key sk-of-the-process");
    expect(await ask({ auth: "subscription" })).toBe("colour none, key none");
  });

  test("R27 R52 without policies a failed call is not repeated", async () => {
    const overloaded = [
      { do: "read", what: "all" },
      { do: "write", text: "Error: 503 service unavailable\n", to: "stderr" },
      { do: "exit", code: 1 },
    ] as const;
    const cli = stageCli("codex", overloaded, "Fine.");
    expect(await failureOf(cli.adapter({ policies: false }).invoke(question))).toMatchObject({ category: "server" });
    expect(cli.starts()).toBe(1);
  });

  test("R27 R52 an adapter uses the client of the caller, which then has the options of a client", async () => {
    const cli = stageCli("claude", "Fine.");
    const client = createClient({ binaries: { claude: cli.cliPath }, warm: false });
    onTestFinished(() => client.close());
    const adapter = createClaudeCliProvider({ client });
    expect((await adapter.invoke(question)).text).toBe("Fine.");
    await client.close();
    expect(await failureOf(adapter.invoke(question))).toMatchObject({ category: "cancelled" });
    for (const option of [{ cliPath: cli.cliPath }, { maxBuffer: 1 }, { warm: false }, { policies: false }] as const)
      expect(() => createClaudeCliProvider({ client, ...option })).toThrow(`${Object.keys(option)[0]} belongs to the client`);
  });

  test("R27 R52 an option that does not exist is a TypeError with the nearest name", () => {
    const misspelt: object = { trustThreads: true };
    expect(() => createClaudeCliProvider(misspelt)).toThrow(
      new TypeError('An adapter has no field "trustThreads". Did you mean trustThread?'),
    );
    expect(() => createCodexCliProvider({ model: undefined } as object)).not.toThrow();
  });
});

/** A block of calls as the documents show it. */
function unmarked(name: string): string {
  return `\`\`\`json\n{"tool_calls": [{"name": "${name}", "args": {"city": "Oslo"}, "id": "call_1"}]}\n\`\`\``;
}

/** A program in the place of codex whose answer is a part of its environment. */
function envPrinter(): { readonly cliPath: string } {
  const { directory, env } = openTestScope();
  for (const name of ["XDG_STATE_HOME", "E2E_TEST"]) vi.stubEnv(name, env[name]);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const item = '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"colour %s, key %s"}}';
  const script = [
    "cat > /dev/null",
    `printf '${item}\\n' "\${COXSWAIN_TEST_COLOUR-none}" "\${CODEX_API_KEY-none}"`,
    `echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'`,
  ];
  return { cliPath: writeProgram(join(directory, "codex"), script.join("\n")) };
}
