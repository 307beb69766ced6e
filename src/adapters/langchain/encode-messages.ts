import type { BaseMessage } from "@langchain/core/messages";
import { encodeTextThread } from "../../tools/thread-text.ts";
import { encodeXmlThread, issueThread } from "../../tools/thread-xml.ts";
import { toMessages } from "./to-messages.ts";

/**
 * The messages as an XML thread; content cannot imitate an event. A thread that this function made is kept as it is, byte for
 * byte when it is the only message.
 */
export function messagesToXml(messages: readonly BaseMessage[]): string {
  return issueThread(encodeXmlThread(toMessages(messages, "json")));
}

/** The messages as labelled blocks; content cannot imitate a label. */
export function messagesToPrompt(messages: readonly BaseMessage[]): string {
  return encodeTextThread(toMessages(messages, "json"));
}
