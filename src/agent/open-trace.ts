import { CallbackManager } from "@langchain/core/callbacks/manager";
import { RunError } from "../spec/failure/run-error.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { AgentSettings } from "./agent-options.ts";

/** The run of an agent in LangChain's callbacks: the calls of the model and of tools are its children. */
export type AgentTrace = {
  /** The callbacks for one call; undefined if there are none. */
  child(): CallbackManager | undefined;
  end(result: RunResult): Promise<void>;
};

/** The callbacks are those of the caller and of LangChain's own settings. */
async function openTrace({ callbacks, name }: AgentSettings, input: string): Promise<AgentTrace> {
  const manager = CallbackManager.configure(callbacks);
  const none = undefined;
  const agent = { lc: 1, type: "not_implemented" as const, id: ["coxswain", "agent"] };
  const run = await manager?.handleChainStart(agent, { input }, none, none, none, none, name);
  return {
    child: () => run?.getChild(),
    async end(result) {
      const { failure, text, finish } = result;
      if (failure === undefined) await run?.handleChainEnd({ output: text, finish });
      else await run?.handleChainError(new RunError(failure, result));
    },
  };
}

/** Runs an agent inside of its trace. */
export async function traced(
  settings: AgentSettings,
  input: string,
  resultAt: (end: RunEnd) => RunResult,
  work: (trace: AgentTrace) => Promise<RunEnd>,
): Promise<RunEnd> {
  const trace = await openTrace(settings, input);
  const end = await work(trace);
  await trace.end(resultAt(end));
  return end;
}
