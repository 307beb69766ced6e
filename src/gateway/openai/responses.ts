import type { Protocol } from "../protocol.ts";
import { toErrorReply } from "./error.ts";
import { readResponsesRequest } from "./responses-request.ts";
import { ResponsesWriter } from "./responses-writer.ts";

/** OpenAI's Responses. */
export const responses: Protocol = {
  read: readResponsesRequest,
  whole(head, parts) {
    const writer = new ResponsesWriter(head);
    writer.write(parts);
    return writer.response();
  },
  frames: (head) => new ResponsesWriter(head),
  error: toErrorReply,
};
