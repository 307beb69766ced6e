import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4ResponseMetadata,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { Client } from "../../client.ts";
import type { Answering } from "../../doors/answer-part.ts";
import { AnswerReader, type DoorReading } from "../../doors/answer-reader.ts";
import { defined } from "../../spec/json.ts";
import type { Targets } from "../../spec/request.ts";
import type { RunContext, RunStream } from "../../spec/stream.ts";
import { type FailedCall, finishReasonOf, metadataOf, toCallError, toUsage, toWarning } from "./finish.ts";
import { PartWriter, toContent } from "./part-writer.ts";
import { type Call, type CoxswainProviderOptions, readCall } from "./read-call.ts";

type ModelHost = {
  readonly client: Client;
  readonly targets: Targets;
  readonly defaults: CoxswainProviderOptions;
  readonly onPermission?: RunContext["onPermission"];
};

/** A CLI, or a chain of them, as a language model of the AI SDK. */
export class CliLanguageModel implements LanguageModelV4 {
  readonly specificationVersion = "v4";
  readonly provider = "coxswain";
  readonly modelId: string;
  /** The AI SDK downloads files that are given by a URL. */
  readonly supportedUrls: Record<string, RegExp[]> = {};
  /** A `#` field, because the defaults may contain secrets, and models are logged and traced. */
  readonly #host: ModelHost;

  constructor(modelId: string, host: ModelHost) {
    this.modelId = modelId;
    this.#host = host;
  }

  /** The whole answer. No piece of it is shown before the end, so a failed attempt may be repeated until then. */
  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const call = readCall(options, this.#host.defaults);
    const reader = new AnswerReader(this.start(call, options, "end"), { ...this.readingOf(call), isWhole: true });
    const { parts, result } = await reader.all();
    if (result.failure !== undefined) throw toCallError(result.failure, result, this.failed(call, options));
    const { answering, warnings } = reader;
    return {
      content: parts.flatMap(toContent),
      finishReason: finishReasonOf(result),
      usage: toUsage(result.usage),
      providerMetadata: metadataOf(result, answering),
      response: responseOf(answering, this.modelId),
      warnings: [...call.warnings, ...warnings.map(toWarning)],
    };
  }

  /** The answer as a stream; rejects if the run fails before its first piece. */
  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const call = readCall(options, this.#host.defaults);
    const reader = new AnswerReader(this.start(call, options, "first-event"), this.readingOf(call));
    const ended = await reader.begun();
    const failed = this.failed(call, options);
    if (ended?.failure !== undefined) throw toCallError(ended.failure, ended, failed);
    return { stream: openStream(reader, failed) };
  }

  private start({ request, target }: Call, { abortSignal }: LanguageModelV4CallOptions, commit: RunContext["commit"]): RunStream {
    const { client, targets, onPermission } = this.#host;
    const context: RunContext = {
      ...defined({ commit, signal: abortSignal, onPermission }),
    };
    return client.run(
      targets.map((one) => ({ ...one, ...target })),
      request,
      context,
    );
  }

  private failed(call: Call, { abortSignal }: LanguageModelV4CallOptions): FailedCall {
    return { modelId: this.modelId, call, signal: abortSignal };
  }

  private readingOf({ stop, request }: Call): DoorReading {
    if (request.outputSchema === undefined) return { stop, asked: request, acceptsCut: true };
    const objectTools = this.#host.client.providers.flatMap(({ objectTool }) => objectTool ?? []);
    return { stop, asked: request, acceptsCut: true, isObject: true, showsPartials: true, objectTools };
  }
}

/**
 * The answer of a run that has begun as a stream. All parts of a batch are handed over together; nothing waits for a later batch. Cancelling
 * the stream cancels the run. An aborted signal is the error of the stream, any other failure a part of it.
 */
function openStream(reader: AnswerReader, call: FailedCall): ReadableStream<LanguageModelV4StreamPart> {
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

function responseOf({ model }: Answering, modelId: string): LanguageModelV4ResponseMetadata {
  return { id: randomUUID(), timestamp: new Date(), modelId: model ?? modelId };
}
