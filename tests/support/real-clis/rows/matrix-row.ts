import type { Permissions } from "../../../../src/spec/request.ts";
import type { FakeAnswer } from "../../../../src/testing/index.ts";
import type { CliRow } from "./cli-row.ts";

/** The prompts that a CLI might not treat as text; matrix/inert-prompts.ts has their texts. */
export type PromptName =
  | "mentions and addresses"
  | "a command with words"
  | "a command that empties a conversation"
  | "options and references"
  | "a shell escape and marks that run commands"
  | "marks of all kinds with a mention"
  | "blanks and control characters"
  | "a byte order mark, tags and lines of protocols";

/** Upstream errors; matrix/upstream-errors.ts has each protocol's response for them. */
export type ErrorName =
  | "wrong key"
  | "unknown model"
  | "rate limit"
  | "spent quota"
  | "failing server"
  | "cut stream"
  | "garbage";

/** A deviation of a CLI from the matrix, and the sentence of `provider.limitations` that documents it. */
export type Exception = { readonly reason: string; readonly limitation: RegExp };

/** What a completion sends besides the caller's texts. */
export type PureFacts = {
  /** The maximum bytes of the request for "hi", with a system prompt of four words if the CLI takes one. */
  readonly bytes: number;
  /** The texts of its system prompt, with the caller's if there is one. */
  readonly system: (given?: string) => readonly (string | RegExp)[];
  /** The user texts; the prompt alone by default. */
  readonly user?: (prompt: string) => readonly (string | RegExp)[];
  /** Its text before the prompt, in the same user text. */
  readonly front?: RegExp;
  /** The tools that no flag removes; none by default. */
  readonly tools?: readonly string[];
  /** The planted files and hooks that an agent sends or starts: they prove that the plants work. */
  readonly heeds: readonly string[];
};

/** A CLI of the matrix: its set-up and its deviations. */
export type MatrixRow = CliRow & {
  /** The output of `--version`, if it is not the version of its package. */
  readonly version?: string;
  /** The name of its shell in events. */
  readonly shellName: string;
  /** Tools that a completion cannot remove and that run nothing, with names of its own. */
  readonly idleTools?: readonly string[];
  /** The number of processes of a completion, if another one would leave files behind. */
  readonly processes?: number;
  /** The permissions of the agent whose command runs, if they are not `bypass`, which another test proves for this CLI. */
  readonly wholeShell?: Permissions;
  readonly pure: PureFacts;
  /** The prompts that its provider refuses, with the reason. */
  readonly refusedPrompts: Readonly<Partial<Record<PromptName, Exception>>>;
  /** Set if some prompts are not sent byte for byte; `pure.user` has the form that is sent. */
  readonly changedPrompts?: Exception;
  /** Errors after which it retries by itself, for longer than a test waits. */
  readonly retriedErrors: Readonly<Partial<Record<ErrorName, Exception>>>;
  /** Set if it asks the model to continue after a cut stream. */
  readonly continues?: Exception;
  /** The vendor's own error responses, if they are not those of the protocol. */
  readonly errorAnswers?: Readonly<Partial<Record<ErrorName, FakeAnswer>>>;
  /** Tests that are left out because each run is slow and other CLIs test the same. */
  readonly omitted?: { readonly reason: string; readonly prompts: readonly PromptName[]; readonly errors: readonly ErrorName[] };
  /** The longest prompt that reaches a model, if it is shorter than the provider's limit. */
  readonly longestPrompt?: { readonly bytes: number; readonly reason: string };
  /** Set if it tries to reach an unreachable model for longer than a test waits. */
  readonly unreachable?: Exception;
};
