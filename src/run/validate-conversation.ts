import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunRequest } from "../spec/request.ts";

/** The first reason why the conversation and the tools of a request cannot be used. */
export function validateConversation({ mode, messages, tools = [], toolChoice = "auto" }: RunRequest): Failure | undefined {
  if (messages?.length === 0) return createFailure("prompt-blank", "The conversation has no messages.");
  const names = tools.map(({ name }) => name);
  const [repeated] = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return createFailure("bad-request", `Two tools are called ${JSON.stringify(repeated)}.`);
  const bad = names.find((name) => typeof name !== "string" || !/^[\p{L}\p{N}_.:/-]{1,128}$/u.test(name));
  if (bad !== undefined)
    return createFailure("bad-request", `${JSON.stringify(bad)} cannot be the name of a tool: use letters, digits, _ . : / -.`);
  if (tools.length > 0 && mode === "agent") {
    return createFailure("options-conflict", "Host tools need completion mode; in agent mode the CLI uses its own tools.");
  }
  const wanted = typeof toolChoice === "object" ? toolChoice.name : undefined;
  if (wanted !== undefined && !names.includes(wanted))
    return createFailure("bad-request", `The tool ${JSON.stringify(wanted)} must be called but is not among the tools.`);
  return toolChoice === "required" && tools.length === 0
    ? createFailure("bad-request", "A tool must be called, but there are no tools.")
    : undefined;
}
