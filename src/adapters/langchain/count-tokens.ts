import type { MessageContent } from "@langchain/core/messages";
import { estimateTokenCount } from "tokenx";

/** Estimates the tokens of a content on this machine; images and other blocks without text count as none. */
export function countTokens(content: MessageContent): number {
  if (typeof content === "string") return estimateTokenCount(content);
  const blocks = content as readonly (string | { readonly text?: unknown })[];
  const texts = blocks.map((block) => (typeof block === "string" ? block : block.text));
  return estimateTokenCount(texts.filter((text) => typeof text === "string").join("\n"));
}
