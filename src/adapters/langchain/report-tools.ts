import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import {
  CallbackManager,
  type CallbackManagerForLLMRun,
  type CallbackManagerForToolRun,
} from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import type { ModelCall } from "../../agent/model/agent-model.ts";
import { NO_RESULT, NOT_MADE } from "../../doors/answer-part.ts";
import type { ToolReport } from "../../doors/answer-reader.ts";
import { thrownMessage } from "../../spec/failure/failure.ts";
import { isJsonObject, type JsonValue, parseJson } from "../../spec/json.ts";
import type { EventStamp, ToolCall, ToolEnd } from "../../spec/wire/events.ts";

/** An error by which the end of a call is reported that gave no result. */
class NoToolResult extends Error {
  override name = "NoToolResult";
  readonly durationMs: number | undefined;

  constructor(message: string, durationMs?: number) {
    super(message);
    this.durationMs = durationMs;
  }
}

/**
 * Tells LangChain's callbacks about the tools that a CLI runs itself: `handleToolStart`, then `handleToolEnd` or `handleToolError`, below
 * the call of the model; those of a sub-agent below its own tool. So tracers show them as they show other tools.
 */
export class ToolReports {
  private readonly model: CallbackManagerForLLMRun | undefined;
  private readonly open = new Map<string, CallbackManagerForToolRun>();

  constructor(model: CallbackManagerForLLMRun | undefined) {
    this.model = model;
  }

  async see(event: ToolReport): Promise<void> {
    if (this.model === undefined || this.model.handlers.length === 0) return;
    if (event.type === "tool-end") await this.end(event);
    else if (event.type === "tool-reset") await this.take(event.id)?.handleToolError(new NoToolResult(NOT_MADE));
    else if (event.executor === "cli") await this.start(event, this.model);
  }

  private async start(event: ToolCall & EventStamp, model: CallbackManagerForLLMRun): Promise<void> {
    const { id, name, input, parentToolId = "" } = event;
    const manager = new CallbackManager(this.open.get(parentToolId)?.runId ?? model.runId);
    manager.setHandlers(model.handlers);
    const tool = { lc: 1, type: "not_implemented", id: ["coxswain", "tools", name] } as const;
    const given = isJsonObject(input) ? { ...input } : JSON.stringify(input);
    const none = undefined;
    this.open.set(id, await manager.handleToolStart({ ...tool, id: [...tool.id] }, given, none, none, none, none, name, id));
  }

  private take(id: string): CallbackManagerForToolRun | undefined {
    const tool = this.open.get(id);
    this.open.delete(id);
    return tool;
  }

  private async end({ id, name, output, isError, durationMs, synthetic }: ToolEnd): Promise<void> {
    const tool = this.take(id);
    if (synthetic === true) return await tool?.handleToolError(new NoToolResult(NO_RESULT, durationMs));
    if (isError) return await tool?.handleToolError(Object.assign(new Error(toText(output)), { durationMs }));
    await tool?.handleToolEnd(
      new ToolMessage({
        tool_call_id: id,
        name,
        content: toText(output),
        artifact: output,
        status: "success",
        additional_kwargs: { duration_ms: durationMs },
      }),
    );
  }
}

function toText(output: JsonValue): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

/** Hears of the tools that run inside a call of a chat model, as `ToolReports` and others report them, and tells an agent. */
export class ToolListener extends BaseCallbackHandler {
  override name = "coxswain-agent";
  /** LangChain then waits for each method, so that the events keep their order. */
  override awaitHandlers = true;
  private readonly tell: ModelCall["onPart"];
  /** The ids of the calls, by the ids of their runs. */
  private readonly open = new Map<string, string>();

  constructor(tell: ModelCall["onPart"]) {
    super();
    this.tell = tell;
  }

  override handleToolStart(
    ...[tool, input, runId, , , , name, id = runId]: Parameters<NonNullable<BaseCallbackHandler["handleToolStart"]>>
  ): void {
    this.open.set(runId, id);
    this.tell({ type: "tool-call", id, name: name ?? tool.id.at(-1) ?? "", input: parseJson(input) ?? input });
  }

  override handleToolEnd(output: unknown, runId: string): void {
    const message = ToolMessage.isInstance(output) ? output : undefined;
    const result = message === undefined ? output : (message.artifact ?? message.content);
    this.end(runId, { output: (result ?? null) as JsonValue, isError: false }, message?.additional_kwargs["duration_ms"]);
  }

  override handleToolError(error: unknown, runId: string): void {
    const duration = typeof error === "object" && error !== null && "durationMs" in error ? error.durationMs : undefined;
    if (error instanceof NoToolResult) this.end(runId, { output: null, isError: false, synthetic: true }, duration);
    else this.end(runId, { output: thrownMessage(error), isError: true }, duration);
  }

  private end(runId: string, result: Pick<ToolEnd, "output" | "isError" | "synthetic">, duration: unknown): void {
    const id = this.open.get(runId);
    this.open.delete(runId);
    if (id === undefined) return;
    this.tell({ type: "tool-end", id, ...result, ...(typeof duration === "number" && { durationMs: duration }) });
  }
}
