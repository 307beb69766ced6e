import { anthropicError, type FakeAnswer, responsesError } from "../../src/testing/index.ts";
import type { CliName } from "./arena.ts";
import { awaitQuiet } from "./await-quiet.ts";
import { type Contest, toQuestion } from "./contest.ts";
import type { ErrorReport } from "./host-process.ts";
import { settled } from "./measure-abort.ts";

/** What a caller learns when the API refuses the key: after how long, and with which error; neither when no error came in time. */
export type RefusalFigures = { readonly reportedMs: number | undefined; readonly error?: ErrorReport };

const LIMIT_MS = 20_000;

const refused = anthropicError("authentication_error");

/** The ways in which an API refuses a key; Claude Code retries by itself unless the response forbids it. */
export const REFUSALS: Readonly<Record<CliName, Readonly<Record<string, FakeAnswer>>>> = {
  claude: {
    "401 with `x-should-retry: false`": refused,
    "401 without that header": { ...refused, headers: {} },
  },
  codex: { "401": responsesError("invalid_api_key") },
};

/** One call with a key that the API refuses. */
export async function measureRefusal(contest: Contest, name: string, answer: FakeAnswer): Promise<RefusalFigures> {
  contest.arena.api.answerWith(answer);
  const host = await contest.start(name);
  await awaitQuiet();
  const pending = host.ask(toQuestion("pure"));
  const report = await settled(pending, LIMIT_MS);
  await host.end();
  if (report !== undefined && report.error === undefined) throw new Error(`${name} took a refusal for an answer`);
  return report?.error === undefined ? { reportedMs: undefined } : { reportedMs: report.totalMs, error: report.error };
}
