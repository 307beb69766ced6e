import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Serialized } from "@langchain/core/load/serializable";
import { ToolMessage } from "@langchain/core/messages";
import { NoToolResult } from "../adapters/langchain/report-tools.ts";
import type { RunWriter } from "../run/run-writer.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import type { JsonValue } from "../spec/json.ts";
import { parseJson } from "../spec/text/parse-json.ts";
import type { StepStamp } from "../spec/wire/events.ts";

type OpenCall = { readonly id: string; readonly name: string; readonly input: JsonValue; readonly startedAt: number };

/** Writes the events of tools that run inside a call of the model: those of a CLI in agent mode. */
export class CliToolListener extends BaseCallbackHandler {
  override name = "coxswain-agent";
  /** LangChain then waits for each method, so that the events keep their order. */
  override awaitHandlers = true;
  private readonly writer: RunWriter;
  private readonly stamp: StepStamp;
  private readonly open = new Map<string, OpenCall>();

  constructor(writer: RunWriter, stamp: StepStamp) {
    super();
    this.writer = writer;
    this.stamp = stamp;
  }

  override handleToolStart(
    tool: Serialized,
    input: string,
    runId: string,
    _parent?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    runName?: string,
    toolCallId?: string,
  ): void {
    const call = {
      id: toolCallId ?? runId,
      name: runName ?? tool.id.at(-1) ?? "",
      input: parseJson(input) ?? input,
      startedAt: performance.now(),
    };
    const { id, name } = call;
    this.open.set(runId, call);
    this.writer.tick();
    this.writer.write({ type: "tool-start", id, name, ...this.stamp });
    this.writer.write({ type: "tool-call", id, name, input: call.input, executor: "cli", ...this.stamp });
    this.writer.flush();
  }

  override handleToolEnd(output: unknown, runId: string): void {
    const message = ToolMessage.isInstance(output) ? output : undefined;
    const result = (message === undefined ? output : (message.artifact ?? message.content)) as JsonValue;
    this.end(runId, result ?? null, false, message?.additional_kwargs["duration_ms"]);
  }

  override handleToolError(error: unknown, runId: string): void {
    if (error instanceof NoToolResult) return this.end(runId, null, false, error.durationMs, true);
    const duration = typeof error === "object" && error !== null && "durationMs" in error ? error.durationMs : undefined;
    this.end(runId, thrownMessage(error), true, duration);
  }

  private end(runId: string, output: JsonValue, isError: boolean, duration: unknown, synthetic = false): void {
    const call = this.open.get(runId);
    if (call === undefined) return;
    this.open.delete(runId);
    const { id, name, input, startedAt } = call;
    const durationMs = typeof duration === "number" ? duration : Math.round(performance.now() - startedAt);
    this.writer.tick();
    const mark = synthetic ? { synthetic } : {};
    this.writer.write({ type: "tool-end", id, name, input, output, isError, durationMs, ...mark, ...this.stamp });
    this.writer.flush();
  }
}
