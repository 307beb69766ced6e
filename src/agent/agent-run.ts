import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { PartContext } from "../run/part.ts";
import type { StepStamp } from "../spec/wire/events.ts";
import type { AgentSettings } from "./agent-options.ts";
import type { Thread } from "./thread.ts";
import type { WantedObject } from "./wanted-object.ts";

/** One run of an agent: what its steps read and write. */
export type AgentRun = Pick<PartContext, "writer" | "signal" | "onPermission" | "budgetLeft"> & {
  readonly settings: AgentSettings;
  readonly model: BaseChatModel;
  /** The model with the tools of the agent; the model itself if it cannot bind them. */
  readonly bound: Pick<BaseChatModel, "stream">;
  readonly thread: Thread;
  /** The structured answer that is wanted; undefined if the answer is a text. */
  readonly wanted: WantedObject | undefined;
  /** The callbacks for a call of the model or of a tool; undefined if there are none. */
  readonly callbacks: () => CallbackManager | undefined;
};

/** Binds the tools to the model. A model without `bindTools` calls them by its own means, or not at all. */
export function bindModel(model: BaseChatModel, { tools }: AgentSettings): AgentRun["bound"] {
  const definitions = [...tools.values()].map(({ definition }) => definition);
  return definitions.length === 0 ? model : ((model.bindTools?.(definitions) as AgentRun["bound"] | undefined) ?? model);
}

/** The step and the model of the tool calls of the last answer. */
export function stampOf({ thread, model }: AgentRun): StepStamp {
  return { step: thread.step, model: reportedModel(thread) ?? nameOf(model) };
}

/** The name of a model before it has answered. */
export function nameOf(model: BaseChatModel): string {
  const { ls_model_name: name } = model.getLsParams({} as never);
  return name ?? model.getName();
}

function reportedModel(thread: Thread): string | undefined {
  const { model_name: name } = thread.lastAnswer()?.response_metadata ?? {};
  return typeof name === "string" ? name : undefined;
}
