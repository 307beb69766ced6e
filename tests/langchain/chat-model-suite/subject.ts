import type { ChatCli } from "../../../src/adapters/langchain/index.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { FakeUsage } from "../../../src/testing/index.ts";

/** One call that the scripted model makes. */
export type PlannedCall = { readonly name: string; readonly args: JsonObject };

/** The model's answer to one request. */
export type ModelAnswer =
  | { readonly kind: "text"; readonly text: string; readonly thinking?: string; readonly usage?: FakeUsage }
  | { readonly kind: "calls"; readonly calls: readonly PlannedCall[]; readonly usage?: FakeUsage }
  /** A structured answer, in the form that the CLI uses. */
  | { readonly kind: "object"; readonly object: JsonObject }
  /** A successful end without content. */
  | { readonly kind: "empty" }
  /** Never ends. */
  | { readonly kind: "stall" }
  /** The account is used up: category `quota`, code `quota-exhausted`. */
  | { readonly kind: "failure" };

/** One answer for each request in order (the last repeats), or a function of the model's input. */
export type ModelScript = readonly ModelAnswer[] | ((told: string) => ModelAnswer);

/** Fields of a model under test, besides its script. */
export type ModelFields = Omit<ConstructorParameters<typeof ChatCli>[0], "provider" | "model" | "client">;

/** A model under test on a real CLI process. */
export type OpenModel = {
  readonly model: ChatCli;
  /** The input of the CLI, request by request: system prompt and prompt, as text. */
  readonly told: () => readonly string[];
  /** Type and text of each message of the first request, for a CLI that sends its model messages instead of a thread. */
  readonly said?: () => readonly (readonly [type: string, text: string])[];
  /** The living processes of the model. */
  readonly running: () => Promise<readonly number[]>;
  /** Ends all processes of the model; resolves when they are gone. */
  readonly close: () => Promise<void>;
};

/** A CLI that the suite tests. A CLI that is not scripted gives no empty answers and chooses its own text. */
export type Subject = {
  /** The provider's id. */
  readonly name: string;
  readonly takesImages: boolean;
  /** A model that is not called. */
  readonly construct: (fields?: ModelFields) => ChatCli;
  /** A model that answers by the script; after the test none of its processes or files may be left. */
  readonly open: (script: ModelScript, fields?: ModelFields) => Promise<OpenModel>;
};

/** A question short enough to be quoted completely by the rehearsal CLI. */
export const QUESTION = "Why is the sky blue?";

/** An answer in the wording of the rehearsal CLI, so that one expectation fits every CLI. */
export function quoting(question: string): ModelAnswer & { readonly kind: "text" } {
  return { kind: "text", text: `You asked: “${question}”. Because air scatters short waves.` };
}

/** The part of a quoting answer that names its question. */
export function quoted(question: string): string {
  return `You asked: “${question}”.`;
}

/** The answer of a script for the request with this index. */
export function answerAt(script: ModelScript, index: number, told: string): ModelAnswer {
  const answer = typeof script === "function" ? script(told) : script[Math.min(index, script.length - 1)];
  if (answer === undefined) throw new Error("a script has at least one answer");
  return answer;
}
