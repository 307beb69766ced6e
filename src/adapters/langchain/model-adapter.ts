import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";

export type InvokeOptions = { readonly signal?: AbortSignal };

/** The minimum of a model: messages in, one answer out. */
export interface ModelAdapter {
  invoke(messages: BaseMessage[], options?: InvokeOptions): Promise<AIMessage>;
  /** Returns an adapter with these tools; the original does not change. */
  bindTools?(tools: readonly BindToolsInput[]): ModelAdapter;
}

/** True for an adapter, false for a LangChain chat model and anything else; never throws. */
export function isModelAdapter(candidate: unknown): candidate is ModelAdapter {
  if (typeof candidate !== "object" || candidate === null) return false;
  return "invoke" in candidate && typeof candidate.invoke === "function" && !("_generate" in candidate);
}
