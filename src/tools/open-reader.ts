import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";
import type { HostCall } from "../spec/tool.ts";
import { markOf } from "./call-mark.ts";
import { HoldBack } from "./hold-back.ts";
import { type AnswerReading, type ReadingRules, readAnswer } from "./read-answer.ts";
import { type ObjectReading, readObject } from "./read-object.ts";
import type { Sliced } from "./slices.ts";
import { conversationOf, type SchemaPlace } from "./to-prompt.ts";
import { bindTools, compileSchema } from "./validate-schema.ts";

/** Reads one message of an answer while it streams in. */
export type MessageReader = {
  /** Adds a piece and returns the text that may be shown now. */
  push(piece: string): string;
  /** Ends the message; returns its calls or problems and the text that belongs to the answer. */
  end(): Sliced<AnswerReading>;
  /** Everything that was pushed. */
  whole(): string;
};

/** Reads the answers of one run. */
export type Reader = {
  openMessage(): MessageReader;
  /** Reads the structured value from a text; undefined when the request wants none in the text. */
  readText?: (text: string) => Sliced<ObjectReading>;
  /** Validates a structured value that the CLI reported itself. */
  checkObject(value: JsonValue): readonly string[];
  /** These calls were reset or are corrected; their ids are free again. */
  release(calls: readonly HostCall[]): void;
};

/** Creates the reader of a request's answers; throws when one of its schemas cannot be compiled. */
export function openReader(request: RunRequest, schemaPlace: SchemaPlace): Reader {
  const { tools = [], toolChoice = "auto", outputSchema } = request;
  const conversation = conversationOf(request);
  const rules: ReadingRules | undefined =
    tools.length === 0 || toolChoice === "none"
      ? undefined
      : {
          tools: bindTools(tools),
          choice: toolChoice,
          mark: markOf(conversation),
          usedIds: idsOf(conversation),
          newId,
        };
  const check = outputSchema === undefined ? () => [] : compileSchema(outputSchema);
  const readsText = outputSchema !== undefined && schemaPlace === "prompt";
  return {
    openMessage: () => openMessage(rules, readsText),
    checkObject: check,
    release: (calls) => {
      for (const { id } of calls) rules?.usedIds.delete(id);
    },
    ...(readsText && { readText: (text: string) => readObject(text, check) }),
  };
}

/** The reason why a schema cannot be compiled, or undefined. */
export function findSchemaProblem(schemas: readonly (JsonObject | undefined)[]): string | undefined {
  try {
    for (const schema of schemas) if (schema !== undefined) compileSchema(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A structured value is shown only after validation, so its whole text is held back. */
function openMessage(rules: ReadingRules | undefined, holdsAll: boolean): MessageReader {
  const pieces: string[] = [];
  const held = new HoldBack(rules !== undefined);
  return {
    push(piece) {
      pieces.push(piece);
      return holdsAll ? "" : held.push(piece);
    },
    *end() {
      const text = pieces.join("");
      return rules === undefined ? { kind: "answer", text: text.trim() } : yield* readAnswer(text, rules);
    },
    whole: () => pieces.join(""),
  };
}

function idsOf(conversation: readonly Message[]): Set<string> {
  return new Set(
    conversation.flatMap((message) => {
      if (message.role === "tool") return [message.callId];
      return message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
    }),
  );
}

function newId(): string {
  const random = Array.from(randomBytes(6), (byte) => (byte % 36).toString(36)).join("");
  return `call_${Date.now()}_${random}`;
}
