import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSessionProvider, ProviderError } from "../../src/compatibility-views/index.ts";
import { createClient } from "../../src/index.ts";
import { createClientInScope, UUID } from "../support/clis/rehearsal-client.ts";
import { openTestScope } from "../support/test-scope.ts";
import { installClaude } from "./claude-on-path.ts";
import { openMachine, parrot, parrotScript } from "./health-cli.ts";

const NOBODY = "0b9f7c52-2f1e-4d3c-8f11-00000000dead";

describe("the provider interface", () => {
  test("R142 validates the environment, creates a session with a message, sends messages and resumes", async () => {
    const provider = createSessionProvider(createClientInScope(), "rehearsal");
    expect(await provider.validateEnvironment()).toMatchObject({ usable: true, failures: [] });
    const { session, answer } = await provider.createSession({ system: "Be brief." }, "one");
    expect(answer?.text).toContain("You asked: “one”");
    expect(session.id).toMatch(UUID);
    expect((await provider.sendMessage(session, "two")).text).toContain("the one before was: one");
    const resumed = provider.resumeSession(session.id);
    expect(resumed?.record).toMatchObject({ turns: 2, settings: { system: "Be brief." } });
    expect(provider.resumeSession(NOBODY)).toBeUndefined();
  });

  test("R153 stores ids, agent, workspace and counts, and no text of the conversation unless keepThread asks for it", async () => {
    const { directory, env } = openTestScope();
    const client = createClient({ policies: false, env });
    onTestFinished(() => client.close());
    const provider = createSessionProvider(client, "rehearsal");
    const { session } = await provider.createSession({ system: "Be brief." }, { message: "MARK-OF-THE-PROMPT" });
    const folder = join(directory, "state/coxswain/sessions");
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(stored.join()).not.toMatch(/MARK-OF-THE-PROMPT|You asked/);
    expect(Object.keys(JSON.parse(readFileSync(join(folder, `${session.id}.json`), "utf8"))).sort()).toEqual(
      "answeredBy cli costUsd createdAt cwd id keepsThread lastTurn leftOut settings targets turns updatedAt usage".split(" "),
    );
    expect((await provider.sendMessage(session, "two")).text).toContain("the one before was: MARK-OF-THE-PROMPT");
    const { session: kept } = await provider.createSession({ keepThread: true }, "one");
    expect(kept.messages().map(({ text }) => text)[0]).toBe("one");
  });

  test("R142 R171 creates a session in a workspace, where the CLI runs the tools and takes no results", async () => {
    const { directory } = openTestScope();
    const provider = createSessionProvider(createClientInScope(), "rehearsal/tool");
    const { session, answer } = await provider.createSession({}, { workspace: directory });
    expect(answer).toBeUndefined();
    expect(await provider.sendMessage(session, "What time is it?")).toMatchObject({
      toolCalls: [{ name: "Clock", isError: false }],
    });
    expect(session.record).toMatchObject({ cwd: directory, settings: { mode: "agent" } });
    const submitted = await provider
      .submitToolResults(session, [{ callId: "1", output: "noon" }])
      .catch((error: unknown) => error);
    expect(submitted).toBeInstanceOf(ProviderError);
    expect(submitted).toMatchObject({ type: "EnvironmentError", failure: { code: "option-unsupported" } });
  });

  test("R142 takes the results of host tools, which the model then uses", async () => {
    const provider = createSessionProvider(createClientInScope(), "rehearsal/tool-caller");
    const tools = [{ name: "clock", description: "Tells the time.", parameters: { type: "object", properties: {} } }];
    const { session, answer } = await provider.createSession({ tools }, "Call clock.");
    const [call] = answer?.hostCalls ?? [];
    expect(call).toMatchObject({ name: "clock" });
    const results = [{ callId: call?.id ?? "", name: "clock", output: "It is noon." }];
    expect((await provider.submitToolResults(session, results)).text).toContain("It is noon.");
    expect(session.record.turns).toBe(2);
  });

  test("R168 a denied call is a ToolPermissionError that lists it", async () => {
    const { directory } = openTestScope();
    const provider = createSessionProvider(createClientInScope(), "rehearsal/tool");
    const { session } = await provider.createSession({ permissions: { deny: ["Clock"] } }, { workspace: directory });
    const error = await provider.sendMessage(session, "What time is it?").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      type: "ToolPermissionError",
      blockedCalls: [{ name: "Clock", input: { zone: "UTC" } }],
      failure: { partialText: expect.stringMatching(/^I was not allowed/) },
    });
  });
});

describe("the environment is validated first", () => {
  test("R143 a CLI that is not installed refuses the session, and nothing is stored", async () => {
    const { directory, env } = openTestScope();
    const client = createClient({ env: { ...env, PATH: directory } });
    onTestFinished(() => client.close());
    const provider = createSessionProvider(client, "claude");
    const error = await provider.createSession({}, "Hi").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ type: "EnvironmentError", failure: { code: "cli-missing" } });
    expect(client.sessions()).toEqual([]);
  });

  test("R143 R144 requireEnvironment rejects with an EnvironmentError that says what to install; the report stays", async () => {
    const { directory, env } = openTestScope();
    const client = createClient({ env: { ...env, PATH: directory } });
    onTestFinished(() => client.close());
    const provider = createSessionProvider(client, "claude");
    const { failures } = await provider.validateEnvironment();
    const install = failures[0]?.fixCommand ?? "no command";
    const expected = { type: "EnvironmentError", name: "EnvironmentError", message: expect.stringContaining(install) };
    await expect(provider.requireEnvironment()).rejects.toMatchObject(expected);
    await expect(provider.createSession({}, "Hi")).rejects.toMatchObject(expected);
    const usable = createSessionProvider(createClientInScope(), "rehearsal");
    expect(await usable.requireEnvironment({ workspace: directory })).toMatchObject({ usable: true });
    await expect(usable.requireEnvironment({ workspace: join(directory, "gone") })).rejects.toMatchObject({
      type: "EnvironmentError",
      failure: { code: "cwd-unusable" },
    });
  });

  test("R143 R145 an agent states the programs and files that it needs; without them its session is refused", async () => {
    const { client, install, bin } = openMachine([parrot]);
    install("parrot-cli", parrotScript("1.2.0", true));
    const provider = createSessionProvider(client, "parrot");
    const requires = { binaries: ["file-tools"], files: [join(bin, "words.txt")] };
    const { failures } = await provider.validateEnvironment({ requires });
    expect(failures.map(({ message }) => message)).toEqual([
      "The agent needs the program file-tools, which was not found on PATH.",
      `The agent needs the file ${join(bin, "words.txt")}, which does not exist.`,
    ]);
    const refused = {
      type: "EnvironmentError",
      message: expect.stringContaining("Install file-tools so that it is found on PATH."),
    };
    await expect(provider.requireEnvironment({ requires })).rejects.toMatchObject(refused);
    await expect(provider.createSession({ requires }, {})).rejects.toMatchObject(refused);
    install("file-tools", "true");
    install("words.txt", "");
    expect((await provider.createSession({ requires, system: "Be brief." }, {})).session.record.settings).toEqual({
      system: "Be brief.",
    });
    expect((await provider.createSession({}, {})).session.record.turns).toBe(0);
    const misspelt: object = { binary: ["file-tools"] };
    await expect(provider.createSession({ requires: misspelt }, {})).rejects.toThrow('requires has no field "binary"');
    await expect(provider.validateEnvironment({ requires: Object({ binaries: "file-tools" }) })).rejects.toThrow(TypeError);
  });

  test("a misspelt field of the beginning or of what the agent needs is refused, so that no message is lost", async () => {
    const provider = createSessionProvider(createClientInScope(), "rehearsal");
    const beginning: object = { mesage: "Hi" };
    await expect(provider.createSession({}, beginning)).rejects.toThrow(
      new TypeError('The beginning of a session has no field "mesage". Did you mean message?'),
    );
    const needs: object = { workspce: "/" };
    const refusal = new TypeError('What an agent needs has no field "workspce". Did you mean workspace?');
    await expect(provider.validateEnvironment(needs)).rejects.toThrow(refusal);
    await expect(provider.requireEnvironment(needs)).rejects.toThrow(refusal);
  });

  test("R143 a workspace that does not exist refuses the session", async () => {
    const { directory } = openTestScope();
    const provider = createSessionProvider(createClientInScope(), "rehearsal");
    const created = provider.createSession({}, { workspace: join(directory, "gone"), message: "Hi" });
    await expect(created).rejects.toMatchObject({ type: "EnvironmentError", failure: { code: "cwd-unusable" } });
  });
});

test("R152 R170 a new session has no --resume, and a resumed one has --resume with the id of the init event", async () => {
  const seen = await installClaude().ask({ prompt: "Hi", session: { keep: true } });
  expect(seen.argv).not.toContain("--resume");
  expect(seen.argv).not.toContain("--no-session-persistence");
  const resumed = await installClaude().ask({ prompt: "Hi", session: { resume: NOBODY } });
  expect(resumed.argv[resumed.argv.indexOf("--resume") + 1]).toBe(NOBODY);
  expect(resumed.argv).not.toContain("--session-id");
});
