import type { Budget } from "../../spec/client-options.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { ToolDefinition } from "../../spec/message.ts";
import type { RunResult, RunWarning } from "../../spec/result.ts";
import type { Finish, UsageReport } from "../../spec/wire/events.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import type { StoredMessage } from "./message.ts";

/** What a model says while it answers; a tool that it runs itself has a `tool-call` and a `tool-end`. */
export type ModelPart =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | { readonly type: "tool-call"; readonly id: string; readonly name: string; readonly input: JsonValue }
  | {
      readonly type: "tool-end";
      readonly id: string;
      readonly output: JsonValue;
      readonly isError: boolean;
      readonly durationMs?: number;
      /** The result was not seen. */
      readonly synthetic?: boolean;
    };

export type ModelCall = {
  readonly signal: AbortSignal;
  /** The schema of the answer, for a model that takes one. */
  readonly outputSchema?: JsonObject;
  /** For a model that may ask its service many times in one step. */
  readonly budget?: Budget;
  readonly onPart: (part: ModelPart) => void;
};

export type ModelAnswer = Pick<UsageReport, "costUsd" | "costScope"> & {
  readonly message: StoredMessage;
  readonly finish: Finish;
  readonly warnings: readonly RunWarning[];
  readonly usage?: Usage;
};

/** What the loop of an agent knows of its model; the tools are bound to it. */
export type AgentModel = {
  /** Its name before it has answered. */
  readonly name: string;
  /** True if it takes `outputSchema`; others read the schema in their instructions. */
  readonly takesSchema: boolean;
  /** Asks once, with the whole conversation. Rejects if the model fails. */
  ask(messages: readonly StoredMessage[], call: ModelCall): Promise<ModelAnswer>;
};

/** A tool as a model gets it: its definition, and a tool of LangChain itself. */
export type OfferedTool = { readonly definition: ToolDefinition; readonly source?: object };

/** A run of an agent in LangChain's callbacks: the calls of the model and of tools are its children. */
export type AgentTrace = {
  /** The callbacks for one call, for LangChain's own models and tools. */
  callbacks(): unknown;
  /** Runs a tool of the caller as a tool of LangChain. */
  callTool(call: TracedCall, signal: AbortSignal, run: () => Promise<unknown>): Promise<unknown>;
  end(result: RunResult): Promise<void>;
};

export type TracedCall = {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly description?: string | undefined;
};
