import { expect, it } from "vitest";
import { claude } from "../../../src/clis/claude/provider.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { NativeTools } from "../../../src/spec/provider/provider-facts.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import { createProgramClient, runProgram } from "../../support/clis/program-client.ts";
import { finishRun } from "../../support/runs/read-run.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

const run = (env: Readonly<Record<string, string>>, request: Partial<RunRequest> = {}): ReturnType<typeof runProgram> =>
  runProgram("runs-own-tool", { request: { ...request, env } });

it("a completion in which the CLI runs a tool of its own fails, whatever it answers", async () => {
  const failure = await expectFailure(await run({}), "configuration", "own-tools-active");
  expect(failure.message).toBe("Claude Code ran its own tool Bash in completion mode, where its tools must be off.");
});

it("a tool that ran and failed has run", async () => {
  await expectFailure(await run({ OUTPUT: "ls: cannot open directory", ERROR: "1" }), "configuration", "own-tools-active");
});

it("a completion whose CLI offers tools of its own fails before the model has called one", async () => {
  const finished = await run({ TOOLS: "Bash,get_goal" });
  const failure = await expectFailure(finished, "configuration", "own-tools-active");
  expect(failure.message).toContain("Bash, get_goal");
  expect(finished.events.some((event) => event.type === "tool-start")).toBe(false);
});

it("a call of a tool that does not exist has run nothing, and the answer is used", async () => {
  const finished = await run({ OUTPUT: "<tool_use_error>Error: No such tool available: Bash</tool_use_error>", ERROR: "1" });
  expect(finished.end).toMatchObject({ finish: "stop" });
});

it.each(["cat: /etc/shadow: Permission denied", "/bin/sh: build-tool: command not found", "Tool 'x' does not exist."])(
  "a tool that prints %j has run",
  async (output) => {
    await expectFailure(await run({ OUTPUT: output, ERROR: "1" }), "configuration", "own-tools-active");
  },
);

it("a tool of an MCP server is known by the server's name as the CLI writes it, and no other tool is", async () => {
  const mcpServers = { "my.server": { command: "files" } };
  const served = await run({ TOOL: "mcp__my_server__list", TOOLS: "mcp__my_server__list,WaitForMcpServers" }, { mcpServers });
  expect(served.end).toMatchObject({ finish: "stop" });
  const short = { a: { command: "files" } };
  await expectFailure(await run({ TOOLS: "Bash,Task" }, { mcpServers: short }), "configuration", "own-tools-active");
});

it("the tool of a structured answer, and those of the request's MCP servers, are no tools of the CLI's own", async () => {
  const outputSchema = { type: "object" };
  const structured = await run({ TOOL: "StructuredOutput", TOOLS: "StructuredOutput" }, { outputSchema });
  expect(structured.end.failure?.code).not.toBe("own-tools-active");
  const mcpServers = { files: { command: "files" } };
  const served = await run({ TOOL: "mcp__files__list", TOOLS: "mcp__files__list" }, { mcpServers });
  expect(served.end).toMatchObject({ finish: "stop" });
  await expectFailure(await run({ TOOL: "StructuredOutput" }), "configuration", "own-tools-active");
});

it("an agent has its tools", async () => {
  expect((await run({ TOOLS: "Bash" }, { mode: "agent" })).end).toMatchObject({ finish: "stop" });
});

it.each([
  ["offers", "Bash,host_Bash", "offers the model its own tools (Bash)"],
  ["runs", "host_Bash", "ran its own tool Bash"],
])("a host tool that has the name of a tool of the CLI does not hide that the CLI %s its own", async (_what, listed, told) => {
  const nativeTools = nativeToolsOf(claude);
  const request = { tools: [{ name: "Bash" }], env: { TOOLS: listed } };
  const { start } = createProgramClient("runs-own-tool", { request, spawn: { nativeTools } });
  const finished = await finishRun(start({ callTool: () => expect.fail("the host tool ran") }));
  const failure = await expectFailure(finished, "configuration", "own-tools-active");
  expect(failure.message).toContain(told);
});

it("a host tool goes by text if its provider takes no name like its own", () => {
  const nativeTools = { ...nativeToolsOf(claude), names: /^[a-z]+$/ };
  const { client } = createProgramClient("runs-own-tool", { spawn: { nativeTools } });
  const plan = (request: Partial<RunRequest>) =>
    client.plan("bad", { prompt: "Hi.", tools: [{ name: "look" }, { name: "Look_up" }], ...request }, { callTool: () => "seen" });
  const message = 'Host tools cannot be native. Claude Code takes no name like "Look_up".';
  expect(plan({ hostTools: "native" })).toMatchObject({ failure: { code: "option-unsupported", message } });
  expect(JSON.stringify(plan({}))).toContain("[Available Tools]");
});

function nativeToolsOf({ transports: { spawn } }: Provider): NativeTools {
  if (spawn.nativeTools === undefined) throw new Error("The provider has no native host tools.");
  return spawn.nativeTools;
}
