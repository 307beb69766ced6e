import { untilAborted } from "../adapters/langchain/refusal.ts";
import { askPermission } from "../attempt/ask-host.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { EventBody } from "../spec/wire/events.ts";
import { type AgentRun, stampOf } from "./agent-run.ts";
import { type Gate, gateOf, REFUSED_BY_PLAN } from "./approval.ts";
import { callTool, toErrorResult, toResult } from "./call-tool.ts";
import type { StoredMessage } from "./model/message.ts";
import type { AgentCall, Decision } from "./thread.ts";

const ALLOWED: Decision = { behavior: "allow" };

/**
 * Runs the open calls of the thread: those that need no approval at the same time, the others one after another. Calls that wait for
 * the caller stay open.
 */
export async function runTools(run: AgentRun): Promise<"done" | "waiting"> {
  const { thread, settings } = run;
  const calls = thread.openCalls().map((call): GatedCall => {
    const gate = gateOf(settings.approval, settings.tools.get(call.name), call);
    return { call, gate, isGated: gate === "ask" || thread.decisionOf(call.id) !== undefined };
  });
  const inSequence = async (): Promise<void> => {
    for (const each of calls) if (each.isGated) await settle(run, each);
  };
  await Promise.all([...calls.filter(({ isGated }) => !isGated).map((each) => settle(run, each)), inSequence()]);
  if (run.signal.aborted) return "done";
  const waiting = thread.openCalls();
  for (const { id, name, args } of waiting)
    write(run, { type: "tool-call", id, name, input: args as JsonObject, executor: "host", ...stampOf(run) });
  return waiting.length === 0 ? "done" : "waiting";
}

type GatedCall = { readonly call: AgentCall; readonly gate: Gate; readonly isGated: boolean };

/** Adds the result of a call to the thread, unless the call waits for the caller. */
async function settle(run: AgentRun, { call, gate }: GatedCall): Promise<void> {
  const waiting: Waiting = {};
  const decision = run.signal.aborted ? undefined : await decide(run, call, gate, waiting);
  if (decision === undefined) return;
  if ("output" in decision) {
    const { output } = decision;
    return await report(run, call, waiting, async () =>
      toResult(call, typeof output === "string" ? output : JSON.stringify(output)),
    );
  }
  if (decision.behavior === "deny") return refuse(run, call, decision.message);
  const { updatedInput } = decision;
  await execute(run, updatedInput === undefined ? call : { ...call, args: updatedInput as JsonObject }, waiting);
}

/** How long a call waited for its approval. */
type Waiting = { permissionWaitMs?: number };

/** The decision about a call: that of the caller, or what the approval mode says; undefined if the caller has to decide. */
async function decide(run: AgentRun, call: AgentCall, gate: Gate, waiting: Waiting): Promise<Decision | undefined> {
  const { settings, thread, writer, signal, onPermission } = run;
  const known = thread.decisionOf(call.id);
  const tool = settings.tools.get(call.name);
  const needsOutput = tool !== undefined && tool.invoke === undefined;
  if (known !== undefined && !(needsOutput && isAllowed(known))) return known;
  if (needsOutput) return undefined;
  if (gate === "run") return ALLOWED;
  if (gate === "refuse") return { behavior: "deny", message: REFUSED_BY_PLAN };
  const question = { requestId: call.id, name: call.name, input: call.args as JsonObject };
  write(run, { type: "permission-request", id: call.id, ...question });
  if (onPermission === undefined) return undefined;
  writer.flush();
  const askedAt = performance.now();
  const asked = await untilAborted(askPermission(question, onPermission), signal).catch(() => undefined);
  if (asked === undefined) return undefined;
  waiting.permissionWaitMs = Math.round(performance.now() - askedAt);
  if (asked.problem !== undefined) write(run, { type: "warning", code: "permission-undecided", message: asked.problem });
  thread.decide(call.id, asked.answer);
  return asked.answer;
}

function isAllowed(decision: Decision): boolean {
  return !("output" in decision) && decision.behavior === "allow";
}

function refuse(run: AgentRun, call: AgentCall, message: string): void {
  const reason = message === "" ? {} : { reason: message };
  write(run, { type: "permission-denied", id: call.id, name: call.name, input: call.args as JsonObject, ...reason });
  run.thread.add("result", toErrorResult(call, message));
}

async function execute(run: AgentRun, call: AgentCall, waiting: Waiting): Promise<void> {
  const { settings, signal, trace } = run;
  const tool = settings.tools.get(call.name);
  await report(run, call, waiting, async () => {
    if (tool === undefined) return toErrorResult(call, unknownTool(call.name, settings.tools));
    return callTool(tool, call, { signal, trace, timeoutMs: settings.toolTimeoutMs });
  });
}

function unknownTool(name: string, tools: ReadonlyMap<string, unknown>): string {
  return `There is no tool ${JSON.stringify(name)}. The tools are: ${[...tools.keys()].join(", ")}.`;
}

/** Writes the events of a call around its work, and adds its result to the thread. */
async function report(run: AgentRun, call: AgentCall, waiting: Waiting, work: () => Promise<StoredMessage>): Promise<void> {
  const about = { id: call.id, name: call.name, ...stampOf(run) };
  const input = call.args as JsonObject;
  write(run, { type: "tool-start", ...about });
  write(run, { type: "tool-call", ...about, input, executor: "host" });
  run.writer.flush();
  const startedAt = performance.now();
  const result = await work();
  const durationMs = Math.round(performance.now() - startedAt);
  run.thread.add("result", result);
  const output = result.data.content as JsonValue;
  write(run, { type: "tool-end", ...about, input, output, isError: result.data.status === "error", durationMs, ...waiting });
  run.writer.flush();
}

function write({ writer }: AgentRun, event: EventBody): void {
  writer.tick();
  writer.write(event);
}
