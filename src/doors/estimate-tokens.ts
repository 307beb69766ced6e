import type { RunRequest } from "../spec/request.ts";

/** An image costs about this many tokens; the API resizes larger ones. */
const IMAGE_TOKENS = 1600;

/** Estimates the input tokens of a request: a quarter of its characters, and a constant for each image. */
export function estimateTokens({ system = "", prompt = "", messages = [], tools = [], outputSchema }: RunRequest): number {
  let characters = system.length + prompt.length + (tools.length === 0 ? 0 : JSON.stringify(tools).length);
  if (outputSchema !== undefined) characters += JSON.stringify(outputSchema).length;
  let images = 0;
  for (const message of messages) {
    characters += message.text.length;
    if (message.role === "assistant" && message.toolCalls !== undefined) characters += JSON.stringify(message.toolCalls).length;
    images += message.images?.length ?? 0;
  }
  return Math.ceil(characters / 4) + images * IMAGE_TOKENS;
}
