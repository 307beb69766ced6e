import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FakeToolCall } from "../../src/testing/index.ts";
import type { CliName } from "./arena.ts";
import { type Contest, toQuestion } from "./contest.ts";
import type { CallReport, Host } from "./host-process.ts";
import { untilGone } from "./measure-calls.ts";
import { type Caused, endAll, findCaused } from "./processes.ts";

/** One abort: when the call settled (undefined: not within the limit), and which processes were alive afterwards. */
export type AbortFigures = {
  readonly settledMs: number | undefined;
  readonly error?: CallReport["error"];
  /** Alive six seconds after the abort. */
  readonly survivors?: number;
  /** When all processes had ended (undefined: not within the limit). */
  readonly goneMs?: number | undefined;
};

const SETTLE_LIMIT_MS = 15_000;
const SURVIVAL_MS = 6_000;
let tools = 0;

/** Aborts while the shell tool of the real CLI waits; counts the processes that are alive six seconds later and ends them. */
export async function measureSurvivors(contest: Contest, name: string): Promise<AbortFigures> {
  // Claude Code 2.1.325 refuses a command that only sleeps.
  const command = `tail -f -s ${86_000 + ++tools}.${process.pid} /dev/null`;
  const { api, cli } = contest.arena;
  api.answerWith({ kind: "tool-calls", calls: [shellCall(cli, command)] });
  const host = await contest.start(name);
  const pending = host.ask(toQuestion("agent"));
  await untilSeen(host, command, pending);
  await delay(500);
  const abortedAt = performance.now();
  await host.abort();
  const report = await settled(pending, SETTLE_LIMIT_MS);
  await delay(Math.max(0, SURVIVAL_MS - (performance.now() - abortedAt)));
  const survivors = findCaused(host.marker, host.pid, command);
  await finish(host, survivors);
  return { ...toSettled(report), survivors: survivors.length };
}

/** Aborts a program that prints the beginning of a run and ignores SIGTERM and SIGINT. */
export async function measureStubborn(contest: Contest, name: string): Promise<AbortFigures> {
  const host = await contest.start(name, writeStubbornCli(contest));
  const pending = host.ask(toQuestion("pure"));
  await untilSeen(host, "stubborn-cli", pending);
  await delay(1_000);
  const abortedAt = performance.now();
  await host.abort();
  const gone = untilGone(host, SETTLE_LIMIT_MS).then((isGone) => (isGone ? performance.now() - abortedAt : undefined));
  const report = await settled(pending, SETTLE_LIMIT_MS);
  const goneMs = await gone;
  await finish(host, findCaused(host.marker, host.pid));
  return { ...toSettled(report), goneMs };
}

function shellCall(cli: CliName, command: string): FakeToolCall {
  return cli === "claude" ? { name: "Bash", input: { command } } : { name: "exec_command", input: { cmd: command } };
}

function writeStubbornCli({ arena }: Contest): string {
  const beginning =
    arena.cli === "claude"
      ? [{ type: "system", subtype: "init", session_id: SESSION, cwd: "/", tools: [], mcp_servers: [], model: "bench" }]
      : [{ type: "thread.started", thread_id: SESSION }, { type: "turn.started" }];
  const lines = join(arena.folder, "beginning.jsonl");
  writeFileSync(lines, beginning.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const command = join(arena.folder, "stubborn-cli");
  writeFileSync(command, `#!/bin/sh\ntrap '' TERM INT HUP\ncat '${lines}'\nwhile :; do sleep 0.2; done\n`, { mode: 0o755 });
  return command;
}

const SESSION = "5f0c9a52-2c52-4c53-8f2f-0d6c8f7f9b11";

async function untilSeen(host: Host, text: string, pending: Promise<CallReport>): Promise<void> {
  let early: CallReport | undefined;
  void settled(pending, 60_000).then((report) => {
    early = report;
  });
  const deadline = performance.now() + 60_000;
  while (!findCaused(host.marker, host.pid).some(({ command }) => command.includes(text))) {
    if (early !== undefined) throw new Error(`the call ended before ${text} ran: ${JSON.stringify(early)}`);
    if (performance.now() > deadline) throw new Error(`${text} never ran`);
    await delay(100);
  }
}

/** The report, or undefined when it does not come within the limit or the host has ended. */
export async function settled(pending: Promise<CallReport>, limitMs: number): Promise<CallReport | undefined> {
  const stop = new AbortController();
  const never = delay(limitMs, undefined, { signal: stop.signal }).catch(() => undefined);
  return Promise.race([pending.catch(() => undefined), never]).finally(() => stop.abort());
}

function toSettled(report: CallReport | undefined): Pick<AbortFigures, "settledMs" | "error"> {
  return { settledMs: report?.sinceAbortMs, ...(report?.error === undefined ? {} : { error: report.error }) };
}

async function finish(host: Host, left: readonly Caused[]): Promise<void> {
  endAll(left);
  await host.end();
}
