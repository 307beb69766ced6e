import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { type FakeAnswers, findRunProcesses } from "../../src/testing/index.ts";
import { signalProcess } from "../support/processes/signal-process.ts";
import { DONE } from "../support/real-clis/agent-request.ts";
import { prepareRealCli } from "../support/real-clis/real-cli.ts";
import { expectAllGone, holdTool } from "./held-host.ts";
import { lineageOf, type RunningProcess, untilSeen } from "./running-processes.ts";
import { runOf, SleepingTool, setupOf, toolRequest } from "./sleeping-tool.ts";
import { endQuietly, prepareSleepingCli, readToEnd, type SleepingCli, untilSleeping } from "./stopped-run.ts";

// Codex mounts something on these in every directory that its sandbox may write, and creates those that are missing.
const MADE = [".agents", ".aws", ".codex", ".git"];
const BEFORE = ["package.json"];

it("codex creates empty directories for its sandbox, and a killed process tree leaves none of them", async () => {
  const sleeping = await prepareSleepingCli("codex");
  const reading = readToEnd(sleeping.start());
  const { sleeper } = await untilSleeping(sleeping.tool);
  expect(seenIn(sleeping)).toEqual([...MADE, ...BEFORE]);
  killTree(sleeper);
  expect((await reading).end.failure).toMatchObject({ code: "crashed" });
  await sleeping.client.close();
  expect(seenIn(sleeping)).toEqual(BEFORE);
});

it("codex that is killed alone leaves nothing in the workspace", async () => {
  const sleeping = await prepareSleepingCli("codex");
  const reading = readToEnd(sleeping.start());
  const { sleeper } = await untilSleeping(sleeping.tool);
  signalProcess(treeOf(sleeper).at(-1)?.pid, "SIGKILL");
  expect((await reading).end.failure).toMatchObject({ code: "crashed" });
  await sleeping.client.close();
  expect(seenIn(sleeping)).toEqual(BEFORE);
});

it("an abort leaves nothing in the workspace, even when the sandbox had no time to exit", async () => {
  for (const hasTime of [true, false]) {
    const sleeping = await prepareSleepingCli("codex");
    const abort = new AbortController();
    const reading = readToEnd(sleeping.start({}, abort.signal));
    const { sleeper } = await untilSleeping(sleeping.tool);
    if (!hasTime) killSandbox(sleeper);
    abort.abort();
    expect((await reading).end.failure).toMatchObject({ code: "interrupted" });
    await sleeping.client.close();
    expect(seenIn(sleeping)).toEqual(BEFORE);
  }
});

it("a turn that ends with an open terminal leaves nothing in the workspace", async () => {
  const { cli, tool } = await openTerminal(DONE);
  const { end } = await readToEnd(cli.client.run("codex/gpt-5.5", toolRequest(setupOf("codex"), cli.workspace)));
  expect(end.finish).toBe("stop");
  await cli.client.close();
  expect(tool.find()).toBeUndefined();
  expect(readdirSync(cli.workspace)).toEqual(BEFORE);
});

it("a host that is killed leaves nothing in the workspace", async () => {
  const sleeping = await prepareSleepingCli("codex");
  const { host, runId } = await holdTool("codex", sleeping);
  const { sleeper } = await untilSleeping(sleeping.tool);
  const [since, exit] = [performance.now(), once(host, "exit")];
  // Codex itself is stopped with SIGSTOP, so that it cannot start another sandbox or exit before its host.
  signalProcess(treeOf(sleeper).at(-1)?.pid, "SIGSTOP");
  killSandbox(sleeper);
  host.kill("SIGKILL");
  await exit;
  await expectAllGone("codex: SIGKILL of the host and the sandbox", since, sleeping, runId);
  expect(seenIn(sleeping)).toEqual(BEFORE);
});

it("the earlier content of the workspace stays, empty directories too", async () => {
  const sleeping = await prepareSleepingCli("codex");
  const { workspace } = sleeping.cli;
  for (const name of [".git", ".codex"]) mkdirSync(join(workspace, name));
  writeFileSync(join(workspace, ".git", "HEAD"), "ref: refs/heads/main\n");
  const reading = readToEnd(sleeping.start());
  killTree((await untilSleeping(sleeping.tool)).sleeper);
  await reading;
  await sleeping.client.close();
  expect(seenIn(sleeping)).toEqual([".codex", ".git", ...BEFORE]);
  expect(readFileSync(join(workspace, ".git", "HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
});

it("of two runs in one workspace the killed one removes no mount of the other, and the last leaves nothing", async () => {
  const { cli, tool } = await openTerminal({ kind: "stall" });
  const request = toolRequest(setupOf("codex"), cli.workspace);
  const first = readToEnd(cli.client.run("codex/gpt-5.5", request));
  const killed = await untilSleeping(tool);
  const stream = cli.client.run("codex/gpt-5.5", request);
  const second = readToEnd(stream);
  const going = await untilSeen(
    () => tool.findAll("").find((other) => isSleeper(other, tool) && runOf(other) !== killed.runId),
    "two",
  );
  killTree(killed.sleeper);
  await first;
  await vi.waitFor(() => expect(findRunProcesses(killed.runId)).toEqual([]), { timeout: 10_000 });
  expect(mountsOf(going, cli.workspace)).toEqual(MADE);
  killTree(going);
  await second;
  await cli.client.close();
  expect(readdirSync(cli.workspace)).toEqual(BEFORE);
});

/** A model that opens a terminal in each run, and then gives this answer. */
async function openTerminal(then: typeof DONE | { readonly kind: "stall" }): Promise<Pick<SleepingCli, "cli" | "tool">> {
  const tool = new SleepingTool();
  const call = { name: "exec_command", input: { cmd: tool.command, yield_time_ms: 500 } };
  const answers: FakeAnswers = (request) =>
    JSON.stringify(request.body).includes("function_call_output") ? then : { kind: "tool-calls", calls: [call] };
  const cli = await prepareRealCli("codex", answers);
  onTestFinished(() => cli[Symbol.asyncDispose]());
  return { cli, tool };
}

function seenIn({ cli }: SleepingCli): readonly string[] {
  return readdirSync(cli.workspace);
}

function isSleeper({ command }: RunningProcess, tool: SleepingTool): boolean {
  return command.join(" ").trim() === tool.command;
}

/** The processes of a run, from its tool up to the CLI. */
function treeOf(sleeper: RunningProcess): readonly RunningProcess[] {
  return lineageOf(sleeper).filter((member) => runOf(member) !== undefined && runOf(member) === runOf(sleeper));
}

function killTree(sleeper: RunningProcess): void {
  for (const { pid } of treeOf(sleeper).toReversed()) endQuietly(pid);
}

function killSandbox(sleeper: RunningProcess): void {
  for (const { pid } of treeOf(sleeper).slice(0, -1).toReversed()) endQuietly(pid);
}

/** The names below a directory on which the process has a mount. */
function mountsOf({ pid }: RunningProcess, directory: string): readonly string[] {
  const points = readFileSync(`/proc/${pid}/mountinfo`, "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");
  return points.flatMap((point) => (point.startsWith(`${directory}/`) ? [point.slice(directory.length + 1)] : [])).sort();
}
