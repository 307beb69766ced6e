import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCategory, FailureCode } from "../spec/failure/failure-codes.ts";

export const EXIT = {
  answered: 0,
  failed: 1,
  usage: 2,
  login: 3,
  quota: 4,
  temporary: 5,
  refused: 6,
  unusable: 7,
  interrupted: 130,
  terminated: 143,
} as const;

type ExitWords = readonly (readonly [code: number, meaning: string])[];

/** The exit codes of every command, as the help prints them. */
export const EXIT_WORDS: ExitWords = [
  [EXIT.answered, "success"],
  [EXIT.failed, "failure; stderr has the message and a hint"],
  [EXIT.usage, "the command line is wrong or cannot be executed"],
  [EXIT.interrupted, "cancelled by Ctrl-C (143: by SIGTERM); all processes are ended"],
];

/** The exit codes of `cox serve`, for which a signal is the usual end. */
export const SERVE_EXIT_WORDS: ExitWords = [
  [EXIT.answered, "stopped by Ctrl-C or SIGTERM; all processes are ended"],
  ...EXIT_WORDS.filter(([code]) => code === EXIT.failed || code === EXIT.usage),
];

/** The further exit codes of `cox ask`, which name the kind of a failure. */
export const RUN_EXIT_WORDS: ExitWords = [
  [EXIT.login, "no login, a wrong API key, or an account without access"],
  [EXIT.quota, "the quota is used up"],
  [EXIT.temporary, "temporary: a rate limit, the network, the service, a timeout"],
  [EXIT.refused, "the model declined to answer, or the run failed because a tool was denied"],
  [EXIT.unusable, "the CLI is missing, misconfigured or of another version"],
];

const BY_CATEGORY: Readonly<Partial<Record<FailureCategory, number>>> = {
  authentication: EXIT.login,
  quota: EXIT.quota,
  permission: EXIT.refused,
  configuration: EXIT.unusable,
};

const BY_CODE: Readonly<Partial<Record<FailureCode, number>>> = {
  refused: EXIT.refused,
  "cli-missing": EXIT.unusable,
  "cli-not-executable": EXIT.unusable,
  "prompt-blank": EXIT.usage,
  "prompt-malformed": EXIT.usage,
  "options-conflict": EXIT.usage,
  "option-unsupported": EXIT.usage,
  "schema-unreadable": EXIT.usage,
  "cwd-unusable": EXIT.usage,
  "arguments-too-large": EXIT.usage,
  "session-invalid": EXIT.usage,
  "provider-unknown": EXIT.usage,
};

export function exitCodeOf({ code, category, shouldRetry }: Failure): number {
  return BY_CODE[code] ?? BY_CATEGORY[category] ?? (shouldRetry ? EXIT.temporary : EXIT.failed);
}
