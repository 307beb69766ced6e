import type { Failure } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import { toDuration } from "../terminal/terminal-text.ts";
import type { Act, Played, Verdict } from "./play-act.ts";

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

/** The same act without a wait for a retry. */
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
