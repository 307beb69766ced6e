import type { AIMessage } from "@langchain/core/messages";
import { StopSequences } from "../../doors/stop-sequences.ts";
import { withText } from "./cli-message.ts";

/** The message up to the first stop sequence in its text; what the model wrote behind it, calls included, is not part of it. */
export function untilStop(message: AIMessage, stops: readonly string[]): AIMessage {
  const stop = new StopSequences(stops);
  const text = stop.push(message.text);
  if (stop.reached === undefined) return message;
  return withText(message, text, "finish_reason" in message.response_metadata ? { finish_reason: "stop" } : {});
}
