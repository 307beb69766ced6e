import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { expect, it } from "vitest";
import { ToolReports } from "../../src/adapters/langchain/report-tools.ts";

/** Writes down the runs of tools, each below its parent. */
class TreeLog extends BaseCallbackHandler {
  override name = "tree-log";
  override awaitHandlers = true;
  readonly log: string[] = [];
  private readonly names = new Map<string, string>();

  override handleToolStart(...given: Parameters<NonNullable<BaseCallbackHandler["handleToolStart"]>>): void {
    const [, , runId, parent = "", , , name = ""] = given;
    this.names.set(runId, name);
    this.log.push(`${this.names.get(parent) ?? "model"} > ${name}`);
  }

  override handleToolEnd(output: { readonly content: string }, runId: string): void {
    this.log.push(`${this.names.get(runId)}: ${output.content}`);
  }

  override handleToolError(error: Error, runId: string): void {
    this.log.push(`${this.names.get(runId)} failed: ${error.message}`);
  }
}

it("the tools of a sub-agent are below its own tool, and a tool that failed is an error", async () => {
  const handler = new TreeLog();
  const llm = { lc: 1, type: "not_implemented" as const, id: ["a"] };
  const [model] = (await CallbackManager.configure([handler])?.handleChatModelStart(llm, [[]])) ?? [];
  const reports = new ToolReports(model);
  const call = (id: string, name: string, parentToolId?: string) =>
    reports.see({
      type: "tool-call",
      ...{ id, name, input: {}, executor: "cli", seq: 0, atMs: 0 },
      ...(parentToolId !== undefined && { parentToolId }),
    });
  const end = (id: string, name: string, output: string, isError = false) =>
    reports.see({ type: "tool-end", id, name, input: {}, output, isError, durationMs: 1, seq: 0, atMs: 0 });
  await call("1", "Task");
  await call("2", "Read", "1");
  await end("2", "Read", "no such file", true);
  await end("1", "Task", "done");
  await end("9", "Stray", "of no call");
  expect(handler.log).toEqual(["model > Task", "Task > Read", "Read failed: no such file", "Task: done"]);
});
