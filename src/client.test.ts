import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeProgram } from "../tests/support/clis/write-program.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import { claude } from "./clis/claude/provider.ts";
import { builtinProviders } from "./clis/index.ts";
import { rehearsal } from "./clis/rehearsal/provider.ts";
import { RunError } from "./spec/failure/run-error.ts";
import type { RunRequest, Target } from "./spec/request.ts";
import type { RunContext } from "./spec/stream.ts";
import { findRunProcesses } from "./testing/find-run-processes.ts";

let folder = "";
let clients: Client[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-client-"));
  clients = [];
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  rmSync(folder, { recursive: true, force: true });
});

it.each<[string | Target, string | undefined]>([
  ["rehearsal", "friendly"],
  ["rehearsal/slow", "slow"],
  ["rehearsal/vendor/model", "vendor/model"],
  [{ provider: "rehearsal" }, "friendly"],
  [{ provider: "rehearsal", model: "slow" }, "slow"],
])("the target %j asks for the model %s", (target, model) => {
  const planned = open().plan(target, { prompt: "Hello" });
  if ("failure" in planned) throw new Error(planned.failure.message);
  expect(planned.plan.provider).toBe("rehearsal");
  expect(planned.plan.args[planned.plan.args.indexOf("--model") + 1]).toBe(model);
});

it.each(["gemini", "qwen", "opencode/some/model", "copilot"])(
  "the plan of %s shows the bridge of its host tools, without a secret",
  (target) => {
    const [id = ""] = target.split("/");
    const request = { prompt: "Hello", tools: [{ name: "look" }], mcpServers: { host: { command: "mine" } } };
    const planned = open({ binaries: { [id]: program(id) } }).plan(target, request, { callTool: () => "" });
    if ("failure" in planned) throw new Error(planned.failure.message);
    expect(JSON.stringify(planned.plan)).toMatch(/host2.{1,80}http:\/\/127\.0\.0\.1:0\//s);
  },
);

it("a provider may be named by an alias", () => {
  const client = open({ binaries: { claude: program("claude") } });
  expect(client.plan("claude-code/opus", { prompt: "Hello" })).toMatchObject({ plan: { provider: "claude" } });
});

it.each<[string, unknown]>([
  ["undefined", undefined],
  ["null", null],
  ["a number", 5],
  ["an object without a provider", {}],
  ["an object with a number as provider", { provider: 5 }],
])("%s is no target: a TypeError is thrown at once", (_name, target) => {
  const client = open();
  expect(() => Reflect.apply(client.run, client, [target, { prompt: "Hello" }])).toThrow(TypeError);
  expect(() => Reflect.apply(client.plan, client, [target, { prompt: "Hello" }])).toThrow(TypeError);
});

it.each<[string, unknown]>([
  ["undefined", undefined],
  ["null", null],
  ["a text", "Hello"],
  ["an object without a prompt", {}],
  ["a prompt that is a number", { prompt: 5 }],
  ["a system prompt that is a number", { prompt: "Hello", system: 5 }],
  ["a misspelt field", { prompt: "Hello", sytem: "Be brief." }],
  ["a misspelt timeout", { prompt: "Hello", timeouts: { total: 300 } }],
])("%s is no request: a TypeError is thrown at once", (_name, request) => {
  const client = open();
  expect(() => Reflect.apply(client.run, client, ["rehearsal", request])).toThrow(TypeError);
  expect(() => Reflect.apply(client.plan, client, ["rehearsal", request])).toThrow(TypeError);
});

it("bad data is a failure and no exception: an unknown provider is answered with the known ones", async () => {
  const client = open({ providers: [claude, rehearsal] });
  const expected = {
    category: "configuration",
    code: "provider-unknown",
    hint: "Choose one of: claude, rehearsal; with a model: claude/MODEL.",
  };
  expect(client.plan("unknown/model", { prompt: "Hello" })).toEqual({ failure: expect.objectContaining(expected) });
  const stream = client.run("unknown", { prompt: "Hello" });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types).toEqual(["run-start", "run-end"]);
  const error = await stream.result().catch((reason: unknown) => reason);
  expect(RunError.is(error) && error.failure).toMatchObject({ ...expected, message: 'There is no provider or model "unknown".' });
});

it("a plan shows what would be started, and starts nothing", () => {
  const command = program("claude", 'echo started > "$0.log"');
  const client = open({ binaries: { claude: command } });
  const request: RunRequest = { prompt: "Hello", auth: "subscription" };
  const planned = client.plan({ provider: "claude", model: "opus", profile: "/p" }, request);
  expect(planned).toMatchObject({ plan: { command, cwd: { kind: "private" }, env: { CLAUDE_CONFIG_DIR: "/p" } } });
  expect(client.plan({ provider: "claude", model: "opus", profile: "/p" }, request)).toEqual(planned);
  expect(client.plan("claude", { prompt: " " })).toMatchObject({ failure: { code: "prompt-blank" } });
  expect(existsSync(`${command}.log`)).toBe(false);
});

it("a plan knows whether somebody would answer the questions of the CLI", () => {
  const client = open({ binaries: { claude: program("claude") } });
  const request: RunRequest = { prompt: "Hello", mode: "agent", cwd: folder };
  const args = (context?: RunContext): unknown => {
    const planned = client.plan("claude", request, context);
    return "plan" in planned && planned.plan.args.includes("--permission-prompt-tool");
  };
  expect([args(), args({ onPermission: () => ({ behavior: "allow" }) })]).toEqual([false, true]);
});

it("a program that is not there is a failure with the command that installs it", () => {
  expect(open({ env: { PATH: folder } }).plan("claude", { prompt: "Hello" })).toMatchObject({
    failure: { category: "not_found", code: "cli-missing", fixCommand: claude.install, evidence: { errno: "ENOENT" } },
  });
  const refused = program("claude", "", 0o644);
  expect(open({ env: { PATH: folder } }).plan("claude", { prompt: "Hello" })).toMatchObject({
    failure: { code: "cli-not-executable", message: expect.stringContaining(refused), evidence: { errno: "EACCES" } },
  });
});

it("locate() tells where a program is: on the PATH given, at the path given, or beside Node", () => {
  const onPath = program("claude");
  const given = program("other-claude");
  expect(open({ env: { PATH: folder } }).locate("claude")).toBe(onPath);
  expect(open({ env: { PATH: folder } }).locate("claude-code")).toBe(onPath);
  expect(open({ env: { PATH: folder }, binaries: { claude: given } }).locate("claude")).toBe(given);
  expect(open({ env: {} }).locate("claude")).toBeUndefined();
  expect(open({ env: {}, binaries: { claude: join(folder, "absent") } }).locate("claude")).toBeUndefined();
  expect(open().locate("rehearsal")).toBe(process.execPath);
  expect(open().locate("unknown")).toBeUndefined();
});

it("the providers are the built-in ones unless others are given", () => {
  expect(open().providers).toEqual(builtinProviders);
  expect(open({ providers: [rehearsal] }).providers).toEqual([rehearsal]);
});

it("a run whose signal was aborted before starts nothing", async () => {
  const stream = open().run("rehearsal", { prompt: "Hello" }, { signal: AbortSignal.abort() });
  const error = await stream.result().catch((reason: unknown) => reason);
  expect(RunError.is(error) && error.failure).toMatchObject({ category: "cancelled", code: "interrupted" });
});

it("a client that never ran anything closes, twice if need be", async () => {
  const client = open();
  await client.close();
  await client.close();
});

it("close() may be called twice, also at the same time, and leaves nothing", async () => {
  const client = open();
  const stream = client.run("rehearsal/slow", { prompt: "Hello" }, { keepEvents: true });
  await Promise.all([client.close(), client.close()]);
  await client.close();
  const error = await stream.result().catch((reason: unknown) => reason);
  if (!RunError.is(error)) throw new Error(`no RunError: ${String(error)}`);
  expect(error.failure).toMatchObject({ code: "interrupted" });
  const first = error.result.events?.[0];
  expect(findRunProcesses(first?.type === "run-start" ? first.runId : "")).toEqual([]);
});

it("a run asked for after close() is cancelled, and close() may be called again", async () => {
  const client = open();
  expect((await client.run("rehearsal", { prompt: "One" }).result()).text).not.toBe("");
  await client.close();
  const error: unknown = await client
    .run("rehearsal", { prompt: "Two" })
    .result()
    .catch((reason: unknown) => reason);
  expect(RunError.is(error) && error.failure).toMatchObject({ category: "cancelled", code: "interrupted" });
  await client.close();
});

it("the end of a block closes the client", async () => {
  let runId = "";
  {
    await using client = open();
    for await (const event of client.run("rehearsal/slow", { prompt: "Hello" })) {
      if (event.type === "run-start") runId = event.runId;
      if (event.type === "text-delta") break;
    }
  }
  expect(findRunProcesses(runId)).toEqual([]);
});

it("runs of one client have ids of their own", async () => {
  const client = open();
  const ids: string[] = [];
  for (let run = 0; run < 3; run += 1) {
    for await (const event of client.run("unknown", { prompt: "Hello" })) if (event.type === "run-start") ids.push(event.runId);
  }
  expect(new Set(ids).size).toBe(3);
});

function open(options: ClientOptions = {}): Client {
  const client = createClient({
    policies: false,
    ...options,
    env: { ...(options.env ?? process.env), XDG_STATE_HOME: join(folder, "state") },
  });
  clients.push(client);
  return client;
}

function program(name: string, script = "", mode = 0o755): string {
  const file = writeProgram(join(folder, name), script);
  chmodSync(file, mode);
  return file;
}
