import { createHmac, randomBytes } from "node:crypto";
import type { Message } from "../spec/message.ts";

const secret = randomBytes(32);
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH = 12;
/** How much of the first message counts, so that a long one costs nothing. */
const LONGEST_BEGINNING = 64 * 1024;

/**
 * The mark of a conversation, which every call of the model must carry. It depends on a secret of this process and on the
 * beginning of the conversation, so content does not know it, and it is the same from turn to turn.
 */
export function markOf(conversation: readonly Message[]): string {
  const first = conversation.findIndex(({ role }) => role !== "system");
  const beginning = conversation.slice(0, first === -1 ? conversation.length : first + 1);
  const text = JSON.stringify(beginning.map(({ role, text: words }) => [role, words.slice(0, LONGEST_BEGINNING)]));
  const digest = createHmac("sha256", secret).update(text).digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** The text without the mark, if there is one, so that content that learned it cannot use it. */
export function withoutMark(text: string, mark: string | undefined): string {
  return mark === undefined ? text : text.replaceAll(mark, "(mark)");
}
