import type { ToolWay } from "../host-tools/native-tools.ts";
import { toNativeRequest } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/targets.ts";
import type { Attempt, PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { RunRequest } from "../spec/request.ts";
import type { CallTool } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { askByText } from "./text-tools.ts";

export type NativeParts = {
  readonly attempt: Attempt;
  readonly host: RunHost;
  readonly target: KnownTarget;
  readonly way: Extract<ToolWay, { readonly tools: unknown }>;
};

/** Runs a request whose host tools are tools of the CLI: the function runs each call while the CLI waits for it. */
export async function callNatively(
  { attempt, host, target, way }: NativeParts,
  request: RunRequest,
  context: PartContext,
  callTool: CallTool,
): Promise<RunEnd> {
  // Loaded on demand: the validators import libraries that runs without tools do not need.
  const { answerByFunction } = await import("./function-calls.ts");
  const { tools, rules } = way;
  const answerCall = answerByFunction(callTool, request, rules.resultBytes);
  const byWire: Attempt = (cli, prompt, inner) => attempt(cli, { ...prompt, nativeTools: tools }, { ...inner, answerCall });
  const { bridgeName: nameOf } = rules;
  if (nameOf === undefined) return await askByText(byWire, target, toNativeRequest(request, tools), context);
  const [{ bridged }, { bindTools }] = await Promise.all([
    import("../attempt/bridged/bridged-attempt.ts"),
    import("../schemas/validate-schema.ts"),
  ]);
  const checks = bindTools(request.tools ?? []);
  const byBridge = bridged(attempt, { tools, checks, rules, env: host.env, nameOf, answerCall });
  return await askByText(byBridge, target, toNativeRequest(request, tools), context);
}
