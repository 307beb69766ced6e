import { estimateTokens } from "../../doors/estimate-tokens.ts";
import type { Protocol } from "../protocol.ts";
import { readCountRequest, readRequest } from "./read-request.ts";
import { messageFrames, writeMessage } from "./write-answer.ts";
import { failureBody, requestId, statusOf } from "./write-error.ts";

/** Anthropic's Messages API. docs/gateway-anthropic.md lists its fields. */
export const anthropicMessages: Protocol = {
  read: readRequest,
  whole: writeMessage,
  frames: messageFrames,
  error: (failure, id) => ({
    status: statusOf(failure),
    body: failureBody(failure, id),
    headers: { "request-id": requestId(id) },
  }),
  headers: ({ id }) => ({ "request-id": requestId(id) }),
  count(body) {
    const asked = readCountRequest(body);
    if ("category" in asked) return asked;
    return { model: asked.model, body: { input_tokens: estimateTokens(asked.request) } };
  },
};
