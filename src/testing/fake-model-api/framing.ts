import type { JsonObject } from "../../spec/json.ts";

/** How the events of a stream are written. */
export type Framing = {
  frame(event: JsonObject): string;
  /** An event that cannot be parsed. */
  readonly garbled: string;
  /** What stands after the last event of a stream that ended well. */
  readonly end: string;
};

/** Server-sent events that are named by their type: Anthropic's Messages API and OpenAI's Responses API. */
export const NAMED_EVENTS: Framing = {
  frame: (event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`,
  garbled: "event: garbled\ndata: {broken\n\n",
  end: "",
};

/** Server-sent events without names and a sign at the end: OpenAI's Chat Completions. */
export const DATA_EVENTS: Framing = {
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  garbled: "data: {broken\n\n",
  end: "data: [DONE]\n\n",
};

/** Google's server-sent events, with its line ends; an error inside a stream comes bare, as its body. */
export const GOOGLE_EVENTS: Framing = {
  frame: (event) => ("error" in event ? JSON.stringify(event) : `data: ${JSON.stringify(event)}\r\n\r\n`),
  garbled: "data: {broken\r\n\r\n",
  end: "",
};
