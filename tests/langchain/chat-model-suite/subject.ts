import type { ChatCli } from "../../../src/adapters/langchain/index.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { FakeUsage } from "../../../src/testing/index.ts";

/** One call that the model is made to ask for. */
export type PlannedCall = { readonly name: string; readonly args: JsonObject };

/** What the model answers to one request. */
export type ModelAnswer =
  | { readonly kind: "text"; readonly text: string; readonly usage?: FakeUsage }
  | { readonly kind: "calls"; readonly calls: readonly PlannedCall[]; readonly usage?: FakeUsage }
  /** A structured answer, in the way in which the CLI asks for it. */
  | { readonly kind: "object"; readonly object: JsonObject }
  /** A good end without any content. */
  | { readonly kind: "empty" }
  /** Never comes to an end. */
  | { readonly kind: "stall" }
  /** The account is used up: category `quota`, code `quota-exhausted`. */
  | { readonly kind: "failure" };

/** One answer for each request in turn (the last repeats), or a choice by what the model is told. */
export type ModelScript = readonly ModelAnswer[] | ((told: string) => ModelAnswer);

/** What a model under test may be given beside its script. */
export type ModelFields = Omit<ConstructorParameters<typeof ChatCli>[0], "provider" | "model" | "client">;

/** A model under test on a CLI that starts for real. */
export type OpenModel = {
  readonly model: ChatCli;
  /** What the CLI was told, request by request: system prompt and prompt, as text. */
  readonly told: () => readonly string[];
  /** The living processes that the model caused. */
  readonly running: () => Promise<readonly number[]>;
  /** Ends everything that the model caused; resolves when it is gone. */
  readonly close: () => Promise<void>;
};

/** A CLI over which the suite runs; one that is not scripted knows no empty answers and says what it wants to where only a text is asked for. */
export type Subject = {
  /** The provider's id. */
  readonly name: string;
  readonly takesImages: boolean;
  /** A model that nothing is asked of. */
  readonly construct: (fields?: ModelFields) => ChatCli;
  /** A model that answers by the script; when the test is over, nothing of it may be running or lying around. */
  readonly open: (script: ModelScript, fields?: ModelFields) => Promise<OpenModel>;
};

/** A question, short enough to be quoted whole by a CLI that quotes. */
export const QUESTION = "Why is the sky blue?";

/** An answer in the words in which the rehearsal CLI answers, so that one expectation holds for every CLI. */
export function quoting(question: string): ModelAnswer & { readonly kind: "text" } {
  return { kind: "text", text: `You asked: “${question}”. Because air scatters short waves.` };
}

/** The part of a quoting answer that names its question. */
export function quoted(question: string): string {
  return `You asked: “${question}”.`;
}

/** The answer of a script at a place. */
export function answerAt(script: ModelScript, index: number, told: string): ModelAnswer {
  const answer = typeof script === "function" ? script(told) : script[Math.min(index, script.length - 1)];
  if (answer === undefined) throw new Error("a script has at least one answer");
  return answer;
}
