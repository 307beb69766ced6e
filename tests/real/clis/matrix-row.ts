import type { JsonObject } from "../../../src/spec/json.ts";
import type { FakeAnswer } from "../../../src/testing/index.ts";
import type { CliRow } from "./cli-row.ts";

/** The prompts that a CLI might take for something else than text; matrix/inert-prompts.ts has their words. */
export type PromptName =
  | "mentions and addresses"
  | "a command with words"
  | "a command that empties a conversation"
  | "options and references"
  | "a shell escape and marks that run commands"
  | "marks of all kinds with a mention"
  | "blanks and control characters"
  | "a byte order mark, tags and lines of protocols";

/** What goes wrong upstream; matrix/upstream-errors.ts has each protocol's words for it. */
export type ErrorName =
  | "wrong key"
  | "unknown model"
  | "rate limit"
  | "spent quota"
  | "failing server"
  | "cut stream"
  | "garbage";

/** What a CLI does otherwise than the matrix has it, and the sentence of `provider.limitations` that tells its users. */
export type Exception = { readonly reason: string; readonly limitation: RegExp };

/** What a completion sends besides what the caller gave. */
export type PureFacts = {
  /** The most bytes of the request for "hi", with a system prompt of four words where it takes one. */
  readonly bytes: number;
  /** The texts of its system prompt, whole; with what the caller gave, if anything. */
  readonly system: (given?: string) => readonly (string | RegExp)[];
  /** The texts of the user; the prompt alone by default. */
  readonly user?: (prompt: string) => readonly (string | RegExp)[];
  /** What it puts in front of the prompt, in the same text. */
  readonly front?: RegExp;
  /** The tools that it cannot be kept from offering; none by default. */
  readonly tools?: readonly string[];
  /** What an agent sends or starts of what is planted around it: the plants are no dummies. */
  readonly heeds: readonly string[];
};

/** A CLI of the matrix: how it is set up, and what it does otherwise. */
export type MatrixRow = CliRow & {
  /** What `--version` prints, where that is not the version of its package. */
  readonly version?: string;
  /** The name of its shell in events. */
  readonly shellName: string;
  readonly pure: PureFacts;
  /** The prompts that its provider refuses, for good reason. */
  readonly refusedPrompts: Readonly<Partial<Record<PromptName, Exception>>>;
  /** Where some prompts are not sent byte for byte; `pure.user` says how. */
  readonly changedPrompts?: Exception;
  /** Errors after which it asks again by itself, for longer than a test waits. */
  readonly retriedErrors: Readonly<Partial<Record<ErrorName, Exception>>>;
  /** Where it asks the model to go on behind what was said before a stream was cut. */
  readonly goesOn?: Exception;
  /** The vendor's own words for an error, where they are not those of the protocol. */
  readonly errorAnswers?: Readonly<Partial<Record<ErrorName, FakeAnswer>>>;
  /** What is left out because each call takes long and others show the same. */
  readonly omitted?: { readonly reason: string; readonly prompts: readonly PromptName[]; readonly errors: readonly ErrorName[] };
  /** The longest prompt that reaches a model, where that is less than the provider takes. */
  readonly longestPrompt?: { readonly bytes: number; readonly reason: string };
  /** Where it keeps trying to reach a model that is not there for longer than a test waits. */
  readonly unreachable?: Exception;
  /** How the model gives a structured answer where the CLI asks for it in a way of its own. */
  readonly objectAnswer?: (object: JsonObject) => FakeAnswer;
};
