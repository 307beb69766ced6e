import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";

/** How a call of an adapter may be ended early. */
export type InvokeOptions = { readonly signal?: AbortSignal };

/** The least a model needs: messages in, one answer out. */
export interface ModelAdapter {
  invoke(messages: BaseMessage[], options?: InvokeOptions): Promise<AIMessage>;
  /** An adapter with these tools; the one it is called on does not change. */
  bindTools?(tools: readonly BindToolsInput[]): ModelAdapter;
}

/** Tells an adapter from a LangChain chat model and from anything else; never throws. */
export function isModelAdapter(candidate: unknown): candidate is ModelAdapter {
  if (typeof candidate !== "object" || candidate === null) return false;
  return "invoke" in candidate && typeof candidate.invoke === "function" && !("_generate" in candidate);
}
