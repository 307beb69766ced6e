import { withoutResult } from "../adapters/langchain/refusal.ts";
import { thrownCode } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import type { AgentTrace } from "./model/agent-model.ts";

type LangChain = typeof import("../adapters/langchain/agent-model.ts");

/** The part of the package that needs LangChain, which is optional. Rejects with a RunError that says what needs it, if it is not installed. */
export async function loadLangChain(what: string, code: FailureCode = "option-unsupported"): Promise<LangChain> {
  try {
    return await import("../adapters/langchain/agent-model.ts");
  } catch (error) {
    if (!isMissing(error)) throw error;
    const hint = "Install it beside coxswain: npm install @langchain/core";
    throw withoutResult(code, `${what} needs the package @langchain/core, which is not installed.`, { hint });
  }
}

/** True if a package is not installed; the code without `ERR_` comes from a bundle in CommonJS. */
export function isMissing(error: unknown): boolean {
  return ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(thrownCode(error) ?? "");
}

/** LangChain's own settings, by which it traces whatever uses it. */
const TRACING = ["LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING", "LANGCHAIN_VERBOSE"];

/** LangChain is loaded for callbacks, for a model of its own, and where it is installed and set to trace. */
export async function openTrace(
  { callbacks, name }: { readonly callbacks?: object; readonly name: string },
  isOfLangChain: boolean,
  input: string,
): Promise<AgentTrace | undefined> {
  const isSet = TRACING.some((variable) => process.env[variable] === "true");
  if (callbacks === undefined && !isOfLangChain && !isSet) return undefined;
  const langChain = await loadLangChain("The option callbacks").catch((error: unknown) => {
    if (callbacks !== undefined) throw error;
  });
  return langChain?.openTrace(callbacks, name, input);
}
