import { randomUUID } from "node:crypto";
import type { LanguageModelV4ResponseMetadata, LanguageModelV4StreamPart, SharedV4Warning } from "@ai-sdk/provider";
import type { Answering } from "../../doors/answer-facts.ts";
import type { AnswerReader } from "../../doors/answer-reader.ts";
import { type FailedCall, toCallError } from "./call-error.ts";
import { toWarning } from "./finish.ts";
import { PartWriter } from "./part-writer.ts";

/**
 * The answer of a run that has begun as a stream. All parts of a batch are handed over together; nothing waits for a later batch. Cancelling
 * the stream cancels the run. An aborted signal is the error of the stream, any other failure a part of it.
 */
export function openStream(reader: AnswerReader, call: FailedCall): ReadableStream<LanguageModelV4StreamPart> {
  const source = reader[Symbol.asyncIterator]();
  const writer = new PartWriter({
    answering: () => reader.answering,
    toError: (result) => result.failure && toCallError(result.failure, result, call),
  });
  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      const warnings: SharedV4Warning[] = [...call.call.warnings, ...reader.warnings.map(toWarning)];
      controller.enqueue({ type: "stream-start", warnings });
      controller.enqueue({ type: "response-metadata", ...responseOf(reader.answering, call.modelId) });
    },
    async pull(controller) {
      const { done, value = [] } = await source.next();
      if (done === true) return controller.close();
      const last = value.at(-1);
      if (last?.type === "end" && last.result.failure?.category === "cancelled")
        return controller.error(toCallError(last.result.failure, last.result, call));
      const enqueue = (part: LanguageModelV4StreamPart): void => controller.enqueue(part);
      for (const part of value) if (!writer.write(part, enqueue)) return controller.close();
    },
    async cancel() {
      await source.return?.();
    },
  });
}

/** What is known about the response to a call. */
export function responseOf({ model }: Answering, modelId: string): LanguageModelV4ResponseMetadata {
  return { id: randomUUID(), timestamp: new Date(), modelId: model ?? modelId };
}
