import type { ParkedCalls } from "../resident/parked-turns.ts";
import { cancelledEnd, failedEnd } from "../run/ends.ts";
import type { Attempt, PartContext } from "../run/part.ts";
import type { KnownTarget } from "../run/resolve-target.ts";
import { resumeAttempt } from "../run/resume-attempt.ts";
import type { RunHost } from "../run/run-host.ts";
import { DEFAULT_TIMEOUTS } from "../run/defaults.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { RunRequest } from "../spec/request.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import { callHostTool } from "../tools/call-host-tool.ts";
import type { ToolWay } from "../tools/native-tools.ts";
import { conversationOf } from "../tools/to-prompt.ts";
import { conversationKey, splitResults } from "./conversation-key.ts";
import { askByText } from "./text-tools.ts";

/** What a native run needs besides its request. */
export type NativeParts = {
  readonly attempt: Attempt;
  readonly host: RunHost;
  readonly target: KnownTarget;
  readonly way: Extract<ToolWay, { readonly tools: unknown }>;
};

/** Runs a request whose host tools are tools of the CLI. The CLI's own turn goes on with each result. */
export async function runNatively(parts: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  // Loaded on demand: the validators import libraries that runs without tools do not need.
  const { findSchemaProblem } = await import("../tools/open-reader.ts");
  const unusable = findSchemaProblem(request);
  if (unusable !== undefined) return failedEnd(createFailure("schema-unreadable", unusable));
  return await (context.callTool === undefined ? endWithCalls : callFunctions)(parts, request, context);
}

/** A function of the caller runs each call while the CLI waits for it. */
async function callFunctions({ attempt, target, way }: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { callTool } = context;
  if (callTool === undefined) return cancelledEnd();
  const { bindTools } = await import("../tools/validate-schema.ts");
  const { mode = "completion", timeouts, tools = [] } = request;
  const toolMs = timeouts?.toolMs ?? DEFAULT_TIMEOUTS[mode].toolMs ?? 0;
  const options = { tools: bindTools(tools), callTool, toolMs, resultBytes: way.rules.resultBytes };
  const answerCall: NonNullable<PartContext["answerCall"]> = (call, signal) => callHostTool(call, { ...options, signal });
  const native: Attempt = (cli, prompt, inner) => attempt(cli, { ...prompt, nativeTools: way.tools }, { ...inner, answerCall });
  return await askByText(native, target, withoutTools(request), context);
}

/** The run ends with the calls. The CLI's turn stays open for the run that brings their results. */
async function endWithCalls(parts: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { attempt, host, target, way } = parts;
  let parked: ParkedCalls | undefined;
  const park = (turn: ParkedCalls): void => {
    parked = turn;
  };
  const native: Attempt = async (cli, prompt, inner) => {
    const asked = { ...prompt, nativeTools: way.tools };
    const waiting = takeParked(parts, request);
    const end = waiting && (await resumeAttempt(host, waiting.parked, waiting.results)(cli, asked, { ...inner, park }));
    return end ?? (await attempt(cli, asked, { ...inner, park }));
  };
  const end = await askByText(native, target, withoutTools(request), context);
  if (parked === undefined) return end;
  const { failure } = end;
  if (failure !== undefined || context.signal.aborted) {
    parked.turn.end();
    return failure === undefined ? cancelledEnd() : end;
  }
  context.writer.flush();
  const { text, hostCalls = [] } = context.resultAt(end);
  const answer = { role: "assistant", text, toolCalls: hostCalls } as const;
  host.parked?.put(conversationKey(target, request, [...conversationOf(request), answer]), parked);
  return end;
}

type Waiting = { readonly parked: ParkedCalls; readonly results: ReadonlyMap<string, ToolAnswer> };

/** The turn that waits for exactly these results, if this conversation has one. */
function takeParked({ host, target, way }: NativeParts, request: RunRequest): Waiting | undefined {
  const { before, results } = splitResults(conversationOf(request));
  if (results.length === 0) return undefined;
  const parked = host.parked?.take(conversationKey(target, request, before), target.id);
  if (parked === undefined) return undefined;
  const answers = new Map<string, ToolAnswer>();
  for (const { callId, text, isError = false, images = [] } of results) {
    const id = parked.calls.get(callId);
    const fits = images.length === 0 && Buffer.byteLength(text) <= way.rules.resultBytes;
    if (id !== undefined && fits && !answers.has(id)) answers.set(id, { text, isError });
  }
  if (answers.size === parked.calls.size && answers.size === results.length) return { parked, results: answers };
  parked.turn.end();
  return undefined;
}

function withoutTools({ tools: _, hostTools: __, toolChoice: ___, ...request }: RunRequest): RunRequest {
  return request as RunRequest;
}
