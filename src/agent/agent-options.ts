import type { Client } from "../client.ts";
import type { CompatibilityOptions } from "../compatibility/check-compatibility.ts";
import { checkBudget } from "../policy/policies.ts";
import type { Budget } from "../spec/client-options.ts";
import { checkNames, type Fields } from "../spec/fields.ts";
import { defined } from "../spec/json.ts";
import type { Targets } from "../spec/request.ts";
import type { RunWarning } from "../spec/result.ts";
import type { Usage } from "../spec/wire/usage.ts";
import { type AnyTool, type BoundTool, bindAgentTools } from "./agent-tool.ts";
import type { Approval } from "./approval.ts";
import type { ThreadEvent } from "./thread.ts";

/** A chat model of LangChain or a model adapter, by what an agent sees of them without LangChain. */
export type LangChainModel =
  | { _llmType(): string; _generate(...args: never[]): unknown }
  | { invoke(...args: never[]): Promise<unknown>; bindTools?(...args: never[]): object };

/** What `stopWhen` reads: the steps of this run, the thread, and what the run has used so far. */
export type AgentState = {
  readonly steps: number;
  readonly thread: readonly ThreadEvent[];
  readonly usage?: Usage;
  readonly costUsd?: number;
};

export type AgentOptions = CompatibilityOptions & {
  /**
   * A chat model of LangChain, a model adapter, or a name. `cli:claude/sonnet` is a provider of Coxswain with its model; any other name
   * is passed to LangChain's `initChatModel` (package `langchain`), such as `openai:gpt-5.5`. A list has targets of Coxswain as objects.
   */
  readonly model: LangChainModel | string | Targets;
  readonly tools?: readonly AnyTool[];
  /** The system prompt. */
  readonly instructions?: string;
  /** Which calls run without a question; `full` by default. */
  readonly approval?: Approval;
  /** How often the model is asked in one run; 50 by default. */
  readonly maxSteps?: number;
  /** After so many steps in a row in which every tool call failed, the run fails; 3 by default. */
  readonly maxFailedSteps?: number;
  /** The limits of one run in tokens, USD and time. */
  readonly budget?: Budget;
  /** Ends the run after a step if it returns true. */
  readonly stopWhen?: (state: AgentState) => boolean | Promise<boolean>;
  /** The time limit of a tool call; 120,000 by default. */
  readonly toolTimeoutMs?: number;
  /** The model gets the conversation as messages (default), or as an XML thread in one message. */
  readonly contextMode?: "messages" | "xml";
  /** Handlers of LangChain, such as those of LangSmith and Langfuse. */
  readonly callbacks?: object;
  /** The name of the agent in traces. */
  readonly name?: string;
  /** The client that runs the CLI of a name with `cli:`; by default the client that all chat models share. Its listeners get the runs of the agent too. */
  readonly client?: Client;
};

/** The options of an agent with their defaults, and its tools ready for use. */
export type AgentSettings = Required<
  Pick<AgentOptions, "instructions" | "approval" | "maxSteps" | "maxFailedSteps" | "toolTimeoutMs" | "contextMode" | "name">
> &
  Pick<AgentOptions, "budget" | "stopWhen" | "callbacks"> & {
    readonly tools: ReadonlyMap<string, BoundTool>;
    /** One for each feature that has no effect. */
    readonly warnings: readonly RunWarning[];
  };

const FIELDS: Fields<AgentOptions> = {
  model: true,
  tools: true,
  instructions: true,
  approval: true,
  maxSteps: true,
  maxFailedSteps: true,
  budget: true,
  stopWhen: true,
  toolTimeoutMs: true,
  contextMode: true,
  callbacks: true,
  name: true,
  client: true,
  features: true,
  compatibility: true,
};

/** Checks the types of the options and fills in the defaults; throws a TypeError if one is wrong or unknown. */
export function readAgentOptions(options: AgentOptions): Omit<AgentSettings, "warnings"> {
  checkNames("createAgent", options, FIELDS);
  if (!isModel(options?.model)) throw new TypeError('createAgent needs a model, such as createAgent({ model: "cli:claude" }).');
  const { tools = [], instructions = "", approval = "full", contextMode = "messages", name = "agent" } = options;
  const { maxSteps = 50, maxFailedSteps = 3, toolTimeoutMs = 120_000, budget, stopWhen, callbacks } = options;
  if (budget !== undefined) checkBudget(budget);
  if (typeof instructions !== "string") throw new TypeError("instructions must be a string.");
  if (typeof approval !== "function" && !["full", "approve", "plan"].includes(approval))
    throw new TypeError('approval must be "full", "approve", "plan" or a function.');
  if (!["messages", "xml"].includes(contextMode)) throw new TypeError('contextMode must be "messages" or "xml".');
  if (stopWhen !== undefined && typeof stopWhen !== "function") throw new TypeError("stopWhen must be a function.");
  for (const [option, value] of Object.entries({ maxSteps, maxFailedSteps, toolTimeoutMs }))
    if (typeof value !== "number" || !(value > 0)) throw new TypeError(`${option} must be a number above zero.`);
  return {
    ...{ instructions, approval, maxSteps, maxFailedSteps, toolTimeoutMs, contextMode, name },
    tools: bindAgentTools(tools),
    ...defined({ budget, stopWhen, callbacks }),
  };
}

function isModel(model: unknown): boolean {
  if (typeof model === "string" || Array.isArray(model)) return model.length > 0;
  if (typeof model !== "object" || model === null) return false;
  return "_generate" in model || ("invoke" in model && typeof model.invoke === "function");
}
