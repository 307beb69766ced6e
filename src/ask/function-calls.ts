import { callHostTool } from "../host-tools/call-host-tool.ts";
import { DEFAULT_TIMEOUTS } from "../request/defaults.ts";
import type { PartContext } from "../run/part.ts";
import { bindTools } from "../schemas/validate-schema.ts";
import type { RunRequest } from "../spec/request.ts";
import type { CallTool } from "../spec/stream.ts";

/** Runs one host call and returns its result for the model; never rejects. */
export type AnswerCall = NonNullable<PartContext["answerCall"]>;

/** Makes a function of the caller answer calls, within the time of the request and the size that the CLI passes on. */
export function answerByFunction(callTool: CallTool, request: RunRequest, resultBytes: number): AnswerCall {
  const { mode = "completion", timeouts, tools = [] } = request;
  const toolMs = timeouts?.toolMs ?? DEFAULT_TIMEOUTS[mode].toolMs ?? 0;
  const options = { tools: bindTools(tools), callTool, toolMs, resultBytes };
  return (call, signal) => callHostTool(call, { ...options, signal });
}
