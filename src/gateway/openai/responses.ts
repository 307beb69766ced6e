import type { AnswerPart } from "../../doors/answer-part.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { AnswerHead, GatewayRequest, Protocol } from "../protocol.ts";
import { toErrorReply } from "./error.ts";
import { readRequest } from "./request-fields.ts";
import { readResponsesRequest } from "./responses-request.ts";
import { ResponsesWriter } from "./responses-writer.ts";
import { StoredResponses, type StoreLimits } from "./stored-responses.ts";

/** OpenAI's Responses. Its answers are kept for the next requests, unless a request has `store: false`. */
export function createResponses(limits: Partial<StoreLimits> = {}): Protocol {
  const stored = new StoredResponses(limits);
  /** The bodies of requests whose answers are kept. */
  const bodies = new WeakMap<GatewayRequest, JsonObject>();
  const keep = (head: AnswerHead, writer: ResponsesWriter, parts: readonly AnswerPart[]): void => {
    const body = bodies.get(head.asked);
    if (body !== undefined && parts.at(-1)?.type === "end") stored.put(body, writer.response());
  };
  return {
    read(body) {
      return readRequest(() => {
        const whole = stored.withItems(body);
        const asked = readResponsesRequest(stored.withPrevious(whole));
        if (!("category" in asked) && body["store"] !== false) bodies.set(asked, whole);
        return asked;
      });
    },
    whole(head, parts) {
      const writer = new ResponsesWriter(head);
      writer.write(parts);
      keep(head, writer, parts);
      return writer.response();
    },
    frames(head) {
      const writer = new ResponsesWriter(head);
      return {
        begin: () => writer.begin(),
        write(parts) {
          const frames = writer.write(parts);
          keep(head, writer, parts);
          return frames;
        },
        fail: (failure) => writer.fail(failure),
      };
    },
    error: toErrorReply,
  };
}
