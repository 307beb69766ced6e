import { targetName } from "../compare/compare-targets.ts";
import type { Targets } from "../request/targets.ts";
import type { JsonObject } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { McpHost } from "./mcp-host.ts";
import type { McpCall } from "./mcp-tool.ts";
import { RunProgress } from "./run-progress.ts";

/** The context of a run for a call: nothing is shown before its end, so a failed attempt may be repeated up to then. */
export function contextOf({ signal }: McpCall): RunContext {
  return { signal, commit: "end" };
}

/** Reads a run to its end and reports its progress; never rejects. */
export async function finish(stream: RunStream, { progress }: McpCall): Promise<RunResult> {
  const reporter = new RunProgress(progress);
  try {
    for await (const event of stream) reporter.see(event);
    return await stream.outcome();
  } finally {
    reporter.stop();
  }
}

/** Writes the line about a call: its tool, its targets, its time and how it ended. */
export function logCall(host: McpHost, about: { tool: string; targets: Targets; startedAt: number; result: RunResult }): void {
  const { tool, targets, startedAt, result } = about;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  host.log(`${tool} ${targets.map(targetName).join(",")} ${seconds} s ${result.failure?.code ?? "answered"}`);
}

/** The fields of a request that belong to one message of a session. */
export function ofOneMessage({ outputSchema, timeouts }: Partial<RunRequest>): Pick<RunRequest, "outputSchema" | "timeouts"> {
  return { ...(outputSchema !== undefined && { outputSchema }), ...(timeouts !== undefined && { timeouts }) };
}

export function promptOf({ prompt }: JsonObject): string {
  return typeof prompt === "string" ? prompt : "";
}
