import type { Client } from "../../client.ts";
import { collect } from "../../run/collect.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunEvent } from "../../spec/wire/events.ts";
import { findRunProcesses } from "../../testing/find-run-processes.ts";
import { toDuration } from "../terminal/terminal-text.ts";

const BOAT = `{ "type": "object",
  "required": ["name", "seats"],
  "properties": {
    "name": { "type": "string",
      "examples": ["Eight"] },
    "seats": { "type": "integer",
      "minimum": 8 } } }`;

export const DEMO_RETRIES = 1;

export const ACTS: readonly Act[] = [
  {
    title: "A streamed answer",
    command: ["ask", "--provider", "rehearsal", '"What does a coxswain do?"'],
    targets: [{ provider: "rehearsal" }],
    request: { prompt: "What does a coxswain do?" },
    judge: ({ result, pieces, events }) => ({
      isRight: result.finish === "stop" && pieces > 5 && result.text.includes("What does a coxswain do?"),
      line: `${pieces} pieces, the first after ${firstTextAfter(events)}; ${result.usage?.totalTokens ?? "unknown"} tokens`,
    }),
  },
  {
    title: "A tool call with input and result",
    command: ["ask", "--provider", "rehearsal", "--model", "tool", "--agent", '"What time is it?"'],
    targets: [{ provider: "rehearsal", model: "tool" }],
    request: { prompt: "What time is it?", mode: "agent", cwd: process.cwd() },
    judge: judgeToolCall,
  },
  {
    title: "Structured output",
    command: ["ask", "--provider", "rehearsal", "--schema", "boat.json", '"Describe a boat"'],
    file: { name: "boat.json", content: BOAT },
    targets: [{ provider: "rehearsal" }],
    request: { prompt: "Describe a boat", outputSchema: JSON.parse(BOAT) },
    judge: ({ result }) => ({
      isRight: JSON.stringify(result.object) === result.text && result.text === '{"name":"Eight","seats":8}',
      line: "the parsed object is result.object",
    }),
  },
  withoutWaiting(
    failing("A rate limit", "rate-limit", "rate-limited", ({ shouldRetry }) => `should retry: ${yesOrNo(shouldRetry)}`),
  ),
  {
    title: "An overloaded service: a retry, then fallback to the next target",
    command: ["ask", "--provider", "rehearsal/overloaded,rehearsal", "--retries", String(DEMO_RETRIES), '"Who is there?"'],
    targets: [{ provider: "rehearsal", model: "overloaded" }, { provider: "rehearsal" }],
    request: { prompt: "Who is there?" },
    judge: ({ result }) => ({
      isRight: result.finish === "stop" && result.attempts?.length === DEMO_RETRIES + 2 && result.text.includes("Who is there?"),
      line: `${result.attempts?.length ?? 1} attempts, one answer`,
    }),
  },
  failing("A used-up quota", "quota", "quota-exhausted", ({ shouldFallback }) => `should fall back: ${yesOrNo(shouldFallback)}`),
  failing("A crash during an answer", "crash", "crashed", ({ evidence, partialText = "" }) => {
    return `killed by ${evidence?.signal ?? "nothing"}; ${partialText.length} characters of the answer are in partialText`;
  }),
  {
    title: "Cancelling a program that ignores signals",
    command: ["ask", "--provider", "rehearsal", "--model", "stubborn", '"Count, please"', "  # then Ctrl-C"],
    targets: [{ provider: "rehearsal", model: "stubborn" }],
    request: { prompt: "Count, please" },
    cancelAfterPieces: 3,
    judge: ({ result }) => ({
      isRight: result.failure?.code === "interrupted",
      line: `${result.finish}; the program ignores SIGINT and SIGTERM, so Coxswain sends SIGKILL`,
    }),
  },
];

function judgeToolCall({ result, events }: Played): Verdict {
  const [call] = result.toolCalls;
  const seen = events.filter((event) => event.type === "tool-start" || event.type === "tool-call" || event.type === "tool-end");
  return {
    isRight:
      result.toolCalls.length === 1 &&
      seen.length === 3 &&
      call?.name === "Clock" &&
      typeof call.output === "string" &&
      !call.isError,
    line: `start, arguments and result are events; ${call?.name ?? "nothing"} returned ${JSON.stringify(call?.output ?? null)}`,
  };
}

function failing(title: string, model: string, code: FailureCode, line: (failure: Partial<Failure>) => string): Act {
  return {
    title,
    command: ["ask", "--provider", "rehearsal", "--model", model, '"Are you there?"'],
    targets: [{ provider: "rehearsal", model }],
    request: { prompt: "Are you there?" },
    judge: ({ result: { failure } }) => {
      const isRight = failure?.code === code && (code !== "crashed" || (failure.partialText ?? "") !== "");
      return { isRight, line: `${failure?.category ?? "no failure"} / ${failure?.code ?? "none"}; ${line(failure ?? {})}` };
    },
  };
}

function withoutWaiting(act: Act): Act {
  const command = [...act.command.slice(0, -1), "--max-wait", "0", ...act.command.slice(-1)];
  return { ...act, command, request: { ...act.request, maxWaitMs: 0 } };
}

function firstTextAfter(events: Played["events"]): string {
  const first = events.find((event) => event.type === "text-delta");
  return first === undefined ? "never" : toDuration(first.atMs);
}

function yesOrNo(value: boolean | undefined): string {
  return value === true ? "yes" : "no";
}

/** One step of the demo: a run, its expected result, and the command that does the same. */
export type Act = {
  readonly title: string;
  readonly command: readonly string[];
  readonly file?: { readonly name: string; readonly content: string };
  readonly targets: readonly Target[];
  readonly request: RunRequest;
  readonly cancelAfterPieces?: number;
  readonly judge: (played: Played) => Verdict;
};

export type Played = {
  readonly runId: string;
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  readonly pieces: number;
  readonly tookMs: number;
};

export type Verdict = { readonly isRight: boolean; readonly line: string };

export async function playAct(
  client: Client,
  act: Act,
  signal: AbortSignal,
  onEvent: (event: RunEvent) => void,
): Promise<Played> {
  const startedAt = performance.now();
  const events: RunEvent[] = [];
  let pieces = 0;
  const stream = client.run(act.targets, act.request, { signal });
  for await (const event of stream) {
    events.push(event);
    onEvent(event);
    if (event.type === "text-delta") pieces += 1;
    if (pieces === act.cancelAfterPieces) stream.interrupt();
  }
  const runId = events.find((event) => event.type === "run-start")?.runId ?? "";
  return { runId, result: collect(events), events, pieces, tookMs: performance.now() - startedAt };
}

/** Searches the process table for processes that belong to one of these runs. */
export function lookForLeftovers(runIds: readonly string[], waitedMs: number): Verdict {
  const waited = `gone ${toDuration(waitedMs)} later`;
  if (process.platform === "win32") return { isRight: true, line: `${waited}; leftover processes cannot be searched on Windows` };
  const left = runIds.flatMap(findRunProcesses);
  if (left.length > 0) return { isRight: false, line: `still running: ${left.join(", ")}` };
  return { isRight: true, line: `${waited}; no process of these ${runIds.length} runs is left` };
}
