import type { JsonValue } from "../../spec/json.ts";

/** A longer line costs more by its bytes than by its fields. */
const LONGEST_LINE = 4096;

const JSON_STRING: string = String.raw`"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"`;
const DELTA: string = String.raw`\{"type":"content_block_delta","index":\d,"delta":\{"type":"text_delta","text":(${JSON_STRING})\}\}`;
const IDS: string = String.raw`(?:,"(?:session_id|uuid|api_message_id)":"[\w-]*"|,"parent_tool_use_id":null)*`;
/** A text delta of the main agent (fixture partial-text); the group is the text as a JSON string. */
const TEXT_LINE: RegExp = new RegExp(String.raw`^\{"type":"stream_event","event":${DELTA}${IDS}\}$`);

/**
 * Reads a line with a text delta without the ids that no event needs. Most lines of a long answer are these: a stream of them is
 * read in half the time that `JSON.parse` of the whole lines takes.
 */
export function readTextLine(line: string): JsonValue | undefined {
  const text = line.length > LONGEST_LINE ? undefined : TEXT_LINE.exec(line)?.[1];
  if (text === undefined) return undefined;
  const delta = { type: "text_delta", text: JSON.parse(text) as string };
  return { type: "stream_event", event: { type: "content_block_delta", delta }, parent_tool_use_id: null };
}
