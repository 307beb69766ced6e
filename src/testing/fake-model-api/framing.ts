import type { JsonObject } from "../../spec/json.ts";

/** The encoding of the events of a stream. */
export type Framing = {
  frame(event: JsonObject): string;
  /** An event that cannot be parsed. */
  readonly garbled: string;
  /** The text after the last event of a successful stream. */
  readonly end: string;
};

/** Server-sent events with their type as name: Anthropic's Messages API and OpenAI's Responses API. */
export const NAMED_EVENTS: Framing = {
  frame: (event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`,
  garbled: "event: garbled\ndata: {broken\n\n",
  end: "",
};

/** Server-sent events without names and with an end marker: OpenAI's Chat Completions. */
export const DATA_EVENTS: Framing = {
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  garbled: "data: {broken\n\n",
  end: "data: [DONE]\n\n",
};

/** Google's server-sent events with CR LF; an error inside a stream is its bare JSON body. */
export const GOOGLE_EVENTS: Framing = {
  frame: (event) => ("error" in event ? JSON.stringify(event) : `data: ${JSON.stringify(event)}\r\n\r\n`),
  garbled: "data: {broken\r\n\r\n",
  end: "",
};
