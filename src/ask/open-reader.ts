import { randomBytes } from "node:crypto";
import { HoldBack } from "../answers/hold-back.ts";
import { PartialObject } from "../answers/partial-object.ts";
import { type AnswerReading, type ReadingRules, readAnswer } from "../answers/read-answer.ts";
import { type ObjectReading, readNativeObject, readObject } from "../answers/read-object.ts";
import type { Sliced } from "../answers/slices.ts";
import { callMarkOf, conversationOf } from "../prompts/to-prompt.ts";
import { ANY_VALUE } from "../schemas/compile-schema.ts";
import type { FittedSchema } from "../schemas/fit-schema.ts";
import { bindTools, compileSchema } from "../schemas/validate-schema.ts";
import type { JsonValue } from "../spec/json.ts";
import type { HostCall, InvalidCall, Message } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";

export type MessageReader = {
  /** Adds a piece and returns the text that may be shown now. */
  push(piece: string): string;
  /** Ends the message; returns its calls or problems and the text that belongs to the answer. */
  end(): Sliced<AnswerReading>;
  whole(): string;
};

export type Reader = {
  openMessage(): MessageReader;
  /** Reads the structured value from a text; undefined when the request wants none in the text. */
  readText?: (text: string) => Sliced<ObjectReading>;
  /** Reads and validates a structured value that the CLI reported itself. */
  readNative(value: JsonValue): ObjectReading;
  /** Reads the value from a text although the CLI has the schema; undefined when it has none. */
  readNativeText?: (text: string) => Sliced<ObjectReading>;
  /** Opens the reading of the value so far, for one attempt; undefined when the request wants no value. */
  openPartial?: () => PartialObject;
  /** True if a value that the CLI reported can differ from the value that is read from it. */
  readonly rewritesNative: boolean;
  /** These calls were reset or are corrected; their ids are free again. */
  release(calls: readonly HostCall[]): void;
};

/** The end of one attempt, its unchanged text, and the calls, problems or value in it. */
export type ReadAnswer = {
  readonly end: RunEnd;
  readonly fullText: string;
  readonly shownIds: readonly string[];
  readonly answerId?: string;
  readonly sessionId?: string;
  readonly calls: readonly HostCall[];
  readonly problems: readonly string[];
  /** The calls of the answer, if unknown tools and wrong arguments are its only problems. */
  readonly invalidCalls: readonly InvalidCall[];
  /** What the problems are about. */
  readonly wanted: "calls" | "object";
  /** True when reading or validating was stopped, by an abort or the total timeout. */
  readonly isUnread: boolean;
};

type ReaderOptions = {
  /** The schema that the CLI gets; without one the value is read from the text. */
  readonly native?: FittedSchema | undefined;
  /** True if a validator of the caller decides whether a value is valid. */
  readonly hasOwnValidator?: boolean;
};

/** Throws when one of its schemas cannot be compiled. */
export function openReader(request: RunRequest, { native, hasOwnValidator = false }: ReaderOptions): Reader {
  const { tools = [], toolChoice = "auto", outputSchema } = request;
  const conversation = conversationOf(request);
  const rules: ReadingRules | undefined =
    tools.length === 0 || toolChoice === "none"
      ? undefined
      : {
          tools: bindTools(tools),
          choice: toolChoice,
          mark: callMarkOf(request),
          usedIds: idsOf(conversation),
          newId,
        };
  const check = outputSchema === undefined || hasOwnValidator ? ANY_VALUE : compileSchema(outputSchema);
  const readsText = outputSchema !== undefined && native === undefined;
  const fills = !hasOwnValidator && JSON.stringify(outputSchema ?? {}).includes('"default":');
  // An answer without the call is corrected, and its text must not be seen beside that of the next.
  const isForced = rules !== undefined && toolChoice !== "auto";
  const rewritesNative = native !== undefined && (native.isWrapped || native.hasNulls || fills);
  return {
    openMessage: () => openMessage(rules, readsText || rewritesNative || isForced),
    readNative: (value) => readNativeObject(value, { check, outputSchema, native }),
    rewritesNative,
    release: (calls) => {
      for (const { id } of calls) rules?.usedIds.delete(id);
    },
    ...(outputSchema !== undefined && {
      openPartial: () => new PartialObject({ outputSchema, native, hasTools: rules !== undefined }),
    }),
    ...(readsText && { readText: (text: string) => readObject(text, check) }),
    ...(native !== undefined && {
      readNativeText: function* (text: string) {
        const reading = yield* readObject(text, ANY_VALUE);
        return "problems" in reading ? reading : readNativeObject(reading.value, { check, outputSchema, native });
      },
    }),
  };
}

/** A structured value, and an answer that must have a call, are shown only after validation, so their whole text is held back. */
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
