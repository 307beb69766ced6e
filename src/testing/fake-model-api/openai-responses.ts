import { ResponseWriter, toResponseUsage } from "../../formats/openai-responses.ts";
import { type JsonObject, type JsonValue, listOf, objectOf } from "../../spec/json.ts";
import type { Reply } from "./fake-answer.ts";
import { type FakeProtocol, modelOf, NAMED_EVENTS, type NextId, type ProtocolEvent, streamsByBody } from "./fake-protocol.ts";
import { isResponsesErrorCode, responsesError, toOpenAiErrorBody } from "./openai-error.ts";

export const openaiResponses: FakeProtocol = {
  modelPath: /\/responses$/,
  framing: NAMED_EVENTS,
  streams: streamsByBody,
  respond: (request, nextId) => {
    const headers = { "x-request-id": nextId("req_", 36) };
    const id = nextId("resp_", 55);
    const base = { id, object: "response", created_at: Math.floor(Date.now() / 1000), model: modelOf(request, "gpt-fake") };
    const newItemId = (prefix: string): string => nextId(prefix, prefix.length + 50);
    const writer = new ResponseWriter({ ...base, usage: null }, newItemId, { encrypted_content: "RmFrZSByZWFzb25pbmc=" });
    return {
      headers,
      events: (reply) => streamResponse(reply, writer, request.body, nextId),
      errorEvent: (error) => writer.fail(error),
      whole: (reply) => {
        for (const _ of streamResponse(reply, writer, request.body, nextId));
        return writer.response();
      },
    };
  },
  isDelta: (event) => String(event["type"]).endsWith(".delta"),
  toHttpError: ({ code, message }) =>
    isResponsesErrorCode(code)
      ? responsesError(code, message)
      : { kind: "http-error", status: 500, body: { error: { message, type: "server_error", param: null, code } } },
  toErrorBody: toOpenAiErrorBody,
};

/** The body of the request shows which tools take free text. */
function* streamResponse(reply: Reply, writer: ResponseWriter, body: JsonValue, nextId: NextId): Iterable<ProtocolEvent> {
  yield* writer.begin();
  for (const part of reply.parts) {
    if (part.type === "tool-call") {
      const { name, namespace, id = nextId("call_", 29) } = part.call;
      const call = { id, name, namespace, isCustom: isCustomTool(name, body) };
      yield* writer.call(call, part.pieces, reply.end === "open");
    } else {
      yield* writer.beginItem(part.type);
      for (const piece of part.pieces) yield* writer.text(part.type, piece);
    }
  }
  if (reply.end !== "open") yield* writer.end(reply.end, { usage: toResponseUsage(reply.usage) });
}

/** Requests for newer models have the tools in an item of the input, and in namespaces. */
function isCustomTool(name: string, requestBody: JsonValue): boolean {
  const holders = [requestBody, ...listOf(objectOf(requestBody)?.["input"])];
  return holders.flatMap(listTools).some((tool) => tool["type"] === "custom" && tool["name"] === name);
}

function listTools(holder: JsonValue): readonly JsonObject[] {
  const tools = listOf(objectOf(holder)?.["tools"]);
  return tools.flatMap((tool) => [objectOf(tool) ?? {}, ...listTools(tool)]);
}
