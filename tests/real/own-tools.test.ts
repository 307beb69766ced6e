import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT_TARGETS, agentRequest, DONE, shellCall, shellCalls } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import type { DeepCliName } from "../support/real-clis/real-cli.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const bypass = { permissions: { mode: "bypass" } } as const;

/** Each CLI's name for its shell, and its form of a command and its output. */
const SHELLS = {
  claude: {
    tool: "Bash",
    shows: (command: string) => ({ command, description: "Runs a command" }),
    printed: (text: string) => text,
  },
  codex: {
    tool: "command_execution",
    shows: (command: string) => ({ command: `/bin/bash -lc '${command}'` }),
    printed: (text: string) => `${text}\n`,
  },
} as const satisfies Record<DeepCliName, unknown>;

describe.each(["claude", "codex"] as const)("the own tools of real %s", (name) => {
  const target = AGENT_TARGETS[name];
  const { tool, shows, printed } = SHELLS[name];

  it(`a command that ${name} runs is reported from its start to its end, and has run in the workspace`, async () => {
    const command = "sleep 1; pwd > where.txt; echo printed";
    const cli = await openRealCli(name, shellCalls(name, command));
    const run = await cli.run(agentRequest(cli, bypass), { target });
    expect(readFileSync(join(cli.workspace, "where.txt"), "utf8").trim()).toBe(realpathSync(cli.workspace));
    const [start, call, end] = [eventsOf(run, "tool-start"), eventsOf(run, "tool-call"), eventsOf(run, "tool-end")];
    const id = start[0]?.id;
    expect(start).toMatchObject([{ name: tool }]);
    expect(call).toMatchObject([{ id, name: tool, input: shows(command), executor: "cli" }]);
    expect(end).toMatchObject([{ id, name: tool, input: shows(command), output: printed("printed"), isError: false }]);
    expect(end[0]).not.toHaveProperty("synthetic");
    expect(end[0]?.durationMs).toBeGreaterThan(500);
    expect(run.events.flatMap(({ type }) => (type.startsWith("tool-") && type !== "tool-input-delta" ? [type] : []))).toEqual([
      ...["tool-start", "tool-call", "tool-end"],
    ]);
    expect(run.result.toolCalls).toMatchObject([{ id, name: tool, output: printed("printed"), isError: false }]);
  });

  it(`the model gets the output of a tool of ${name}, and its last text is the answer`, async () => {
    const call = shellCall(name, "echo printed");
    const cli = await openRealCli(name, [{ kind: "tool-calls", text: "Let me look.", calls: [call] }, DONE]);
    const run = await cli.run(agentRequest(cli, bypass), { target });
    const [first, second] = modelRequestsOf(cli);
    expect(first?.user.join("\n")).not.toContain("printed");
    expect(second?.user.at(-1)).toContain("printed");
    expect(run.result.text).toBe("Done.");
    const said = eventsOf(run, "text-delta").map((event) => event.text);
    expect(said.join("")).toBe("Let me look.Done.");
    expect(new Set(eventsOf(run, "text-end").map((event) => event.messageId)).size).toBe(2);
  });

  it(`parallel calls of ${name} each have their own start, call and end`, async () => {
    const commands = ["echo one > one.txt; echo one", "echo two > two.txt; echo two", "echo three > three.txt; echo three"];
    const cli = await openRealCli(name, shellCalls(name, ...commands));
    const run = await cli.run(agentRequest(cli, bypass), { target });
    expect(new Set(eventsOf(run, "tool-start").map((event) => event.id)).size).toBe(3);
    const ended = eventsOf(run, "tool-end").toSorted((one, other) => String(one.output).localeCompare(String(other.output)));
    expect(ended.map(({ input, output, isError }) => ({ input, output, isError }))).toEqual([
      { input: shows(commands[0] ?? ""), output: printed("one"), isError: false },
      { input: shows(commands[2] ?? ""), output: printed("three"), isError: false },
      { input: shows(commands[1] ?? ""), output: printed("two"), isError: false },
    ]);
    for (const word of ["one", "two", "three"]) expect(existsSync(join(cli.workspace, `${word}.txt`)), word).toBe(true);
    expect(cli.api.modelRequests).toHaveLength(2);
  });

  it(`a command of ${name} that fails is an error of the tool, not of the run`, async () => {
    const cli = await openRealCli(name, shellCalls(name, "echo broken >&2; exit 3"));
    const run = await cli.run(agentRequest(cli, bypass), { target });
    expect(run.failure).toBeUndefined();
    expect(run.result).toMatchObject({ text: "Done.", finish: "stop", toolCalls: [{ name: tool, isError: true }] });
    expect(run.result.toolCalls[0]?.output).toContain("broken");
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("broken");
  });

  it(`${name} has no tool for commands in completion mode`, async () => {
    const cli = await openRealCli(name);
    const made = join(cli.workspace, "made.txt");
    cli.api.answerWith(shellCalls(name, `touch ${made}`));
    await cli.run({ prompt: "Do it." });
    expect(modelRequestsOf(cli).map(({ tools }) => tools)).toEqual([[], []]);
    expect(existsSync(made)).toBe(false);
  });
});

it("the input of claude's tool comes in pieces that together are its JSON", async () => {
  const cli = await openRealCli("claude", shellCalls("claude", "echo one"));
  const run = await cli.run(agentRequest(cli, bypass));
  const pieces = eventsOf(run, "tool-input-delta").map((event) => event.delta);
  expect(pieces.length).toBeGreaterThan(1);
  expect(JSON.parse(pieces.join(""))).toEqual(eventsOf(run, "tool-call")[0]?.input);
});

it("a file that claude writes exists, and the call reports it", async () => {
  const cli = await openRealCli("claude");
  const path = join(cli.workspace, "letter.txt");
  cli.api.answerWith([
    { kind: "tool-calls", calls: [{ name: "Write", input: { file_path: path, content: "Dear all,\n" } }] },
    DONE,
  ]);
  const run = await cli.run(agentRequest(cli, { permissions: { mode: "accept-edits" } }));
  expect(readFileSync(path, "utf8")).toBe("Dear all,\n");
  expect(run.result.toolCalls).toMatchObject([{ name: "Write", input: { file_path: path }, isError: false }]);
});

it("a patch that codex applies is reported as a file change", async () => {
  const patch = "*** Begin Patch\n*** Add File: letter.txt\n+Dear all,\n*** End Patch\n";
  const cli = await openRealCli("codex", [{ kind: "tool-calls", calls: [{ name: "apply_patch", input: patch }] }, DONE]);
  const run = await cli.run(agentRequest(cli, { permissions: { mode: "accept-edits" } }), { target: AGENT_TARGETS.codex });
  const path = join(cli.workspace, "letter.txt");
  expect(readFileSync(path, "utf8")).toBe("Dear all,\n");
  expect(eventsOf(run, "file-change")).toMatchObject([{ path, kind: "add" }]);
  expect(run.result.toolCalls).toMatchObject([
    { name: "file_change", input: { changes: [{ path, kind: "add" }] }, isError: false },
  ]);
});

it("a command of codex's default model, which calls its tools from JavaScript, is reported too", async () => {
  const input = 'text(await tools.exec_command({ cmd: "sleep 1; echo here > made.txt; echo printed" }));';
  const cli = await openRealCli("codex", [{ kind: "tool-calls", calls: [{ name: "exec", input }] }, DONE]);
  const run = await cli.run(agentRequest(cli, { permissions: { mode: "accept-edits" } }));
  expect(readFileSync(join(cli.workspace, "made.txt"), "utf8")).toBe("here\n");
  expect(run.result).toMatchObject({
    text: "Done.",
    toolCalls: [{ name: "command_execution", output: "printed\n", isError: false }],
  });
});

it("an agent of claude that reaches its turn limit fails with that limit", async () => {
  const cli = await openRealCli("claude", shellCalls("claude", "echo one > one.txt"));
  const run = await cli.run(agentRequest(cli, { ...bypass, maxTurns: 1 }));
  expect(run.failure).toMatchObject({ category: "validation", code: "turn-limit" });
  expect(run.result.toolCalls).toMatchObject([{ name: "Bash", isError: false }]);
  expect(existsSync(join(cli.workspace, "one.txt"))).toBe(true);
  expect(cli.api.modelRequests).toHaveLength(1);
});
