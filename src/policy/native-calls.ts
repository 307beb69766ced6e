import { DEFAULT_TIMEOUTS } from "../run/defaults.ts";
import { cancelledEnd, failedEnd } from "../run/ends.ts";
import type { Attempt, PartContext } from "../run/part.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { RunRequest } from "../spec/request.ts";
import { callHostTool } from "../tools/call-host-tool.ts";
import { withoutTools } from "../tools/to-prompt.ts";
import { endWithCalls, type NativeParts } from "./parked-calls.ts";
import { askByText } from "./text-tools.ts";

/** Runs a request whose host tools are tools of the CLI. The CLI's own turn goes on with each result. */
export async function runNatively(parts: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  // Loaded on demand: the validators import libraries that runs without tools do not need.
  const { findSchemaProblem } = await import("../tools/open-reader.ts");
  const unusable = findSchemaProblem(request);
  if (unusable !== undefined) return failedEnd(createFailure("schema-unreadable", unusable));
  return await (context.callTool === undefined ? endWithCalls : callFunctions)(parts, request, context);
}

/** A function of the caller runs each call while the CLI waits for it. */
async function callFunctions(
  { attempt, host, target, way }: NativeParts,
  request: RunRequest,
  context: PartContext,
): Promise<RunEnd> {
  const { callTool } = context;
  if (callTool === undefined) return cancelledEnd();
  const { bindTools } = await import("../tools/validate-schema.ts");
  const { mode = "completion", timeouts, tools = [] } = request;
  const toolMs = timeouts?.toolMs ?? DEFAULT_TIMEOUTS[mode].toolMs ?? 0;
  const { resultBytes, bridgeName: nameOf } = way.rules;
  const options = { tools: bindTools(tools), callTool, toolMs, resultBytes };
  const answerCall: NonNullable<PartContext["answerCall"]> = (call, signal) => callHostTool(call, { ...options, signal });
  const byWire: Attempt = (cli, prompt, inner) => attempt(cli, { ...prompt, nativeTools: way.tools }, { ...inner, answerCall });
  if (nameOf === undefined) return await askByText(byWire, target, withoutTools(request), context);
  const { bridged } = await import("../run/bridged-attempt.ts");
  const native = bridged(attempt, {
    tools: way.tools,
    checks: options.tools,
    rules: way.rules,
    env: host.env,
    nameOf,
    answerCall,
  });
  return await askByText(native, target, withoutTools(request), context);
}
