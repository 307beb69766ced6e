import type { Protocol } from "../protocol.ts";
import { chatFrames, toCompletion } from "./chat-answer.ts";
import { readChatRequest } from "./chat-request.ts";
import { toErrorReply } from "./error.ts";

export const chatCompletions: Protocol = {
  read: readChatRequest,
  whole: toCompletion,
  frames: chatFrames,
  error: toErrorReply,
};
