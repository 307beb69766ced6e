import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { emptyMessage, textBlock } from "../formats/anthropic.ts";
import { toUsage } from "./output-lines.ts";
import { begin, friendlyText, QUICK_MS, toPieces } from "./speech.ts";
import type { Scenario, Turn, TurnOutcome } from "./turn.ts";

const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** One visible retry, unless the host has switched retries off as for Claude Code, then HTTP 429. */
export const rateLimit: Scenario = async (turn) => {
  begin(turn);
  if (process.env["CLAUDE_CODE_MAX_RETRIES"] !== "0") await retryOnce(turn);
  const text = "API Error: Request rejected (429) · too many requests (rehearsed)";
  return fail(turn, { error: "rate_limit", status: 429, text });
};

async function retryOnce(turn: Turn): Promise<void> {
  const retryMs = 300;
  turn.lines.send({
    type: "system",
    subtype: "api_retry",
    attempt: 1,
    max_retries: 1,
    retry_delay_ms: retryMs,
    error_status: 429,
    error: "rate_limit",
  });
  await turn.pause(retryMs);
}

/** The model's API refuses the request. */
function refuse(toError: (turn: Turn) => ApiError): Scenario {
  return async (turn) => {
    begin(turn);
    return fail(turn, toError(turn));
  };
}

export const quota: Scenario = refuse(() => ({ error: "billing_error", status: 400, text: "Credit balance is too low" }));

/** A subscription that is used up for about two hours, in Claude's wording with a reset time. */
export const usageLimit: Scenario = refuse(() => {
  const reset = new Date(Date.now() + 2 * 60 * 60 * 1000);
  return { error: "rate_limit", status: 429, text: `You've hit your limit · resets ${toClockTime(reset)} (UTC)` };
});

/** HTTP 529 on every request. */
export const overloaded: Scenario = refuse(() => ({
  error: "server_error",
  status: 529,
  text: "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
}));

/** The CLI is not logged in; nothing goes upstream. */
export const notLoggedIn: Scenario = async (turn) => {
  turn.lines.init();
  return fail(turn, { error: "authentication_failed", status: null, text: "Not logged in · Please run /login" });
};

/** A model that does not exist; any unknown `--model` plays this scenario. */
export const unknownModel: Scenario = refuse(({ options: { model } }) => ({
  error: "model_not_found",
  status: 404,
  text: `There's an issue with the selected model (${model}). It may not exist or you may not have access to it.`,
}));

/** Half an answer, a stack trace on stderr, then SIGKILL. */
export const crash: Scenario = async (turn) => {
  begin(turn);
  const message = turn.message();
  const pieces = toPieces(friendlyText(turn.prompt));
  for (const piece of pieces.slice(0, Math.ceil(pieces.length / 2))) {
    message.add("text", piece);
    await turn.pause(QUICK_MS);
  }
  await written(process.stdout, "");
  await written(
    process.stderr,
    "RangeError: rehearsed crash\n    at streamAnswer (rehearsal:7:11)\n    at main (rehearsal:21:3)\n",
  );
  if (process.platform === "win32") process.exit(9);
  process.kill(process.pid, "SIGKILL");
  await delay(LONGEST_DELAY_MS);
  return "failed";
};

export const silent: Scenario = async (turn) => {
  await turn.pause(LONGEST_DELAY_MS);
  return "failed";
};

/** Prints text forever and cannot be interrupted; the process ignores SIGINT and SIGTERM as well. */
export const stubborn: Scenario = async (turn) => {
  begin(turn);
  const message = turn.message();
  for (let count = 1; ; count += 1) {
    message.add("text", `${count} and I am still here; `);
    await delay(250);
  }
};

type ApiError = { readonly error: string; readonly status: number | null; readonly text: string };

function fail(turn: Turn, { error, status, text }: ApiError): TurnOutcome {
  turn.lines.send({
    type: "assistant",
    message: {
      ...emptyMessage(randomUUID(), "<synthetic>"),
      content: [textBlock(text)],
      stop_reason: "stop_sequence",
      stop_sequence: "",
      usage: toUsage({ read: 0, said: 0 }),
    },
    parent_tool_use_id: null,
    error,
  });
  const fields = { is_error: true, api_error_status: status, result: text, stop_reason: "stop_sequence" };
  turn.lines.result(fields, { read: 0, said: 0 });
  return "failed";
}

/** The time of day in UTC as Claude writes it: `7pm`, `7:04pm`. */
function toClockTime(time: Date): string {
  const [hours, minutes] = [time.getUTCHours(), time.getUTCMinutes()];
  const past = minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`;
  return `${hours % 12 || 12}${past}${hours < 12 ? "am" : "pm"}`;
}

async function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });
}
