import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InstalledPackage, installPackage, type Outcome } from "./installed-package.ts";

const hangGuardMs = 240_000;
const typescript = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const typeRoots = [join(import.meta.dirname, "../../node_modules/@types")];
const boats = join(import.meta.dirname, "../support/clis/programs/turns/boats-server.mjs");

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
}, hangGuardMs);

afterAll(() => installed?.remove());

/** Runs a program that has `createAgent` and `messagesOf`. */
function runScript(script: string): Promise<Outcome> {
  const imports = 'import { createAgent, messagesOf } from "coxswain/agent";';
  return installed.run("node", "--input-type=module", "-e", `${imports}\n${script}`);
}

describe("the package without LangChain", { timeout: hangGuardMs }, () => {
  test("an agent runs two tools, pauses, and goes on from its stored thread", async () => {
    expect(await readdir(join(installed.folder, "node_modules"))).not.toContain("@langchain");
    const outcome = await runScript(`
      const parameters = { type: "object", properties: { city: { type: "string", examples: ["Oslo"] } }, required: ["city"] };
      const tools = [
        { name: "get_weather", parameters, readOnly: true, run: ({ city }) => "Rain in " + city },
        { name: "book_trip", parameters, run: ({ city }) => "Booked: " + city },
      ];
      const agent = createAgent({ model: "cli:rehearsal/tool-caller", tools, approval: "approve" });
      console.log((await agent.ask("Call get_weather").result()).text);
      const paused = await agent.ask("Call book_trip").result();
      const [call] = paused.hostCalls;
      console.log(paused.finish, call.name, JSON.stringify(call.args));
      const thread = JSON.parse(JSON.stringify(paused.thread));
      const done = await agent.resume(thread, { [call.id]: { behavior: "allow" } }).result();
      console.log(done.text);
      const { text } = await createAgent({ model: "cli:rehearsal" }).askWithHistory(messagesOf(done.thread), "And now?").result();
      console.log(text.includes("<thread>"), messagesOf(done.thread).map(({ type }) => type).join(" "));`);
    const lines = ["The tool said: Rain in Oslo", 'tool-calls book_trip {"city":"Oslo"}', "The tool said: Booked: Oslo"];
    expect(outcome).toEqual({ exitCode: 0, stdout: `${lines.join("\n")}\ntrue human ai tool ai\n`, stderr: "" });
  });

  test("cox run calls a tool of an MCP server", async () => {
    await cp(boats, join(installed.folder, "boats-server.mjs"));
    const servers = { mcpServers: { boats: { command: "node", args: ["boats-server.mjs"] } } };
    await writeFile(join(installed.folder, "servers.json"), JSON.stringify(servers));
    const words = ["run", "-p", "rehearsal", "-m", "tool-caller", "--mcp", "servers.json", "How many boats?"];
    const outcome = await installed.run("node_modules/.bin/cox", ...words);
    expect(outcome).toMatchObject({ exitCode: 0, stdout: "The tool said: 8 boats\n" });
    expect(outcome.stderr).toMatch(/^⚙ boats__count\(\) → .*s\n$/);
  });

  test("an agent loads nothing before it needs it", async () => {
    const outcome = await installed.run(
      "node",
      "--input-type=module",
      "-e",
      `
      const { registerHooks } = await import("node:module");
      const loaded = [];
      registerHooks({ resolve(specifier, context, next) { loaded.push(specifier); return next(specifier, context); } });
      const { createAgent } = await import("coxswain/agent");
      const { text } = await createAgent({ model: "cli:rehearsal" }).ask("Who steers?").result();
      console.log(text.includes("Who steers?"), JSON.stringify(loaded.filter((name) => !/^(node:|\\.|file:|coxswain)/.test(name))));`,
    );
    expect(outcome).toEqual({ exitCode: 0, stdout: "true []\n", stderr: "" });
  });

  test("what needs LangChain fails and names the package; its settings for traces alone change nothing", async () => {
    const outcome = await runScript(`
      const failureOf = async (options) => {
        const { failure } = await createAgent({ model: "cli:rehearsal", ...options }).ask("Hello").outcome();
        console.log(failure?.code, failure?.message);
      };
      await failureOf({ model: { _generate() {}, _llmType: () => "chat", getLsParams: () => ({}), getName: () => "Chat" } });
      await failureOf({ model: { invoke: async () => "Hello" } });
      await failureOf({ model: "openai:gpt-5.5" });
      await failureOf({ tools: [{ name: "look", invoke: async () => "seen" }] });
      await failureOf({ callbacks: [] });
      process.env.LANGSMITH_TRACING = "true";
      await failureOf({});`);
    const needs = "needs the package @langchain/core, which is not installed.";
    expect(outcome.stdout.trimEnd().split("\n")).toEqual([
      `provider-unknown This model ${needs}`,
      `provider-unknown This model ${needs}`,
      'provider-unknown The model "openai:gpt-5.5" needs the package langchain, which is not installed.',
      `option-unsupported The tool look ${needs}`,
      `option-unsupported The option callbacks ${needs}`,
      "undefined undefined",
    ]);
  });

  test("type-checks in a consumer's strict project, without skipping declarations", async () => {
    const program = `
      import { agentTool, createAgent, messagesOf } from "coxswain/agent";
      const look = agentTool<{ readonly at: string }>({ name: "look", run: ({ at }) => at.length });
      const agent = createAgent({ model: "cli:claude", tools: [look] });
      export const ask = async (): Promise<string> => {
        const { thread } = await agent.ask("Hello").result();
        return (await agent.askWithHistory([...messagesOf(thread), { role: "user", content: "Well?" }, ["ai", "No."]], "So?").result()).text;
      };`;
    await writeFile(join(installed.folder, "consumer.ts"), program);
    const compilerOptions = { module: "NodeNext", target: "ES2024", strict: true, noEmit: true, types: ["node"], typeRoots };
    const project = { compilerOptions: { ...compilerOptions, skipLibCheck: false }, files: ["consumer.ts"] };
    await writeFile(join(installed.folder, "tsconfig.json"), JSON.stringify(project));
    expect(await installed.run("node", typescript, "-p", ".")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });
});
