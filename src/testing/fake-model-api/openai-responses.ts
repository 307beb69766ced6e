import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { FakeStreamError } from "./fake-answer.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";
import {
  type FakeProtocol,
  NAMED_EVENTS,
  type NextId,
  type ProtocolEvent,
  type ProtocolResponse,
  streamsByBody,
} from "./fake-protocol.ts";
import { isResponsesErrorCode, responsesError, toOpenAiErrorBody } from "./openai-error.ts";
import type { Reply } from "./reply.ts";
import { type ItemStatus, type OutputItem, toOutputItem } from "./responses-output-item.ts";

export const openaiResponses: FakeProtocol = {
  modelPath: /\/responses$/,
  framing: NAMED_EVENTS,
  streams: streamsByBody,
  respond: (request, nextId) => new OpenaiResponse(request, nextId),
  isDelta: (event) => String(event["type"]).endsWith(".delta"),
  toHttpError: ({ code, message }) =>
    isResponsesErrorCode(code)
      ? responsesError(code, message)
      : { kind: "http-error", status: 500, body: { error: { message, type: "server_error", param: null, code } } },
  toErrorBody: toOpenAiErrorBody,
};

class OpenaiResponse implements ProtocolResponse {
  readonly headers: Readonly<Record<string, string>>;
  private readonly base: JsonObject;
  private readonly request: FakeApiRequest;
  private readonly nextId: NextId;
  private sequence = 0;

  constructor(request: FakeApiRequest, nextId: NextId) {
    this.request = request;
    this.nextId = nextId;
    this.headers = { "x-request-id": nextId("req_", 36) };
    const model = stringOf(objectOf(request.body)?.["model"]) ?? "gpt-fake";
    this.base = { id: nextId("resp_", 55), object: "response", created_at: Math.floor(Date.now() / 1000), model };
  }

  *events(reply: Reply): Iterable<ProtocolEvent> {
    const started = this.toResponse({ status: "in_progress" });
    yield this.number({ type: "response.created", response: started });
    yield this.number({ type: "response.in_progress", response: started });
    const output: JsonObject[] = [];
    for (const [index, part] of reply.parts.entries()) {
      const status = index === reply.parts.length - 1 ? toEnd(reply).status : "completed";
      const item = toOutputItem(part, status, this.request.body, this.nextId);
      for (const event of streamItem(item, reply.end === "open")) yield this.number({ ...event, output_index: index });
      output.push(item.done);
    }
    if (reply.end === "open") return;
    yield this.number({ type: `response.${toEnd(reply).status}`, response: this.toEnded(reply, output) });
  }

  errorEvent({ code, message }: FakeStreamError): ProtocolEvent {
    return this.number({ type: "response.failed", response: this.toResponse({ status: "failed", error: { code, message } }) });
  }

  whole(reply: Reply): JsonObject {
    const output = reply.parts.map((part) => toOutputItem(part, toEnd(reply).status, this.request.body, this.nextId).done);
    return this.toEnded(reply, output);
  }

  private toEnded(reply: Reply, output: readonly JsonObject[]): JsonObject {
    const { status, reason } = toEnd(reply);
    const details = reason === undefined ? null : { reason };
    return this.toResponse({ status, incomplete_details: details, output, usage: toUsage(reply) });
  }

  private toResponse(fields: JsonObject): JsonObject {
    return { ...this.base, error: null, incomplete_details: null, output: [], usage: null, ...fields };
  }

  private number(event: ProtocolEvent): ProtocolEvent {
    return { ...event, sequence_number: this.sequence++ };
  }
}

function* streamItem(item: OutputItem, open: boolean): Iterable<ProtocolEvent> {
  yield { type: "response.output_item.added", item: item.added };
  yield* item.opening;
  yield* item.deltas();
  if (open) return;
  yield* item.closing;
  yield { type: "response.output_item.done", item: item.done };
}

function toEnd({ end }: Reply): { readonly status: ItemStatus; readonly reason?: string } {
  if (end === "refusal") return { status: "incomplete", reason: "content_filter" };
  if (end === "max-tokens") return { status: "incomplete", reason: "max_output_tokens" };
  return { status: "completed" };
}

function toUsage({ usage }: Reply): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
