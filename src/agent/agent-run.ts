import type { PartContext } from "../run/part.ts";
import type { StepStamp } from "../spec/wire/events.ts";
import type { AgentSettings } from "./agent-options.ts";
import type { AgentModel, AgentTrace } from "./model/agent-model.ts";
import type { Thread } from "./thread.ts";
import type { WantedObject } from "./wanted-object.ts";

/** One run of an agent: what its steps read and write. */
export type AgentRun = Pick<PartContext, "writer" | "signal" | "onPermission" | "budgetLeft"> & {
  readonly settings: AgentSettings;
  /** The model with the tools of the run. */
  readonly model: AgentModel;
  readonly thread: Thread;
  /** The structured answer that is wanted; undefined if the answer is a text. */
  readonly wanted: WantedObject | undefined;
  /** Undefined without callbacks, and where LangChain is not set to trace. */
  readonly trace: AgentTrace | undefined;
};

/** The step and the model of the tool calls of the last answer. */
export function stampOf({ thread, model }: AgentRun): StepStamp {
  const { model_name: reported } = thread.lastAnswer()?.data.response_metadata ?? {};
  return { step: thread.step, model: typeof reported === "string" ? reported : model.name };
}
