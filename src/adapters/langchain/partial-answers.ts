import type { BaseMessage } from "@langchain/core/messages";
import { JsonOutputParser } from "@langchain/core/output_parsers";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { JsonValue } from "../../spec/json.ts";
import { CliMessageChunk } from "./cli-message.ts";

/** The structured answer so far of a chunk; LangChain would join it with that of the next one if it were a field. */
const partials = new WeakMap<object, JsonValue>();

/** A chunk without text that carries the structured answer so far. */
export function partialChunk(object: JsonValue): ChatGenerationChunk {
  const message = new CliMessageChunk({ content: "" });
  partials.set(message, object);
  return new ChatGenerationChunk({ message, text: "" });
}

/** Reads the JSON of an answer. A stream of it gives the answers so far, each in place of the one before it, and then the answer. */
export class PartialAnswerParser<Output extends Record<string, unknown>> extends JsonOutputParser<Output> {
  override async *_transform(chunks: AsyncGenerator<string | BaseMessage>): AsyncGenerator<Output> {
    const rest: (string | BaseMessage)[] = [];
    for await (const chunk of chunks) {
      const partial = typeof chunk === "string" ? undefined : partials.get(chunk);
      // The text of a structured answer comes in one piece at the end, so nothing waits here.
      if (partial === undefined) rest.push(chunk);
      else yield partial as Output;
    }
    yield* super._transform(each(rest));
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
