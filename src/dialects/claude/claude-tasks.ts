import type { JsonObject } from "../../spec/json.ts";
import { listOf, objectOf, stringOf } from "../kit/json-access.ts";

/**
 * `called`: its call has no result yet, and the CLI did not report whether the call waits (2.1.197). `unreported`: it has
 * ended, and the CLI has not reported it to the model yet.
 */
type TaskState = "called" | "running" | "unlisted" | "unreported" | "over";

type Task = { readonly line: JsonObject; state: TaskState };

/**
 * The background work of a run of Claude Code. The CLI reports a task that has ended to the model in its next request,
 * if that follows a tool result, otherwise in a separate turn, whose `result` names the task (measured with 2.1.325 and 2.1.197).
 */
export class BackgroundTasks {
  private readonly tasks = new Map<string, Task>();

  /** Descriptions of the tasks that are still running, in the CLI's words. */
  get open(): readonly string[] {
    return this.inState("running").map(({ line }) => stringOf(line["description"]) ?? "a task");
  }

  /** Whether the CLI starts another turn by itself, to report a task that has ended to the model. */
  get isTurnDue(): boolean {
    return this.inState("unreported").length > 0;
  }

  /** Reads a `system` line about tasks. */
  read(line: JsonObject): void {
    const id = stringOf(line["task_id"]) ?? "";
    switch (line["subtype"]) {
      case "background_tasks_changed":
        return this.list(listOf(line["tasks"]).map((task) => objectOf(task) ?? {}));
      case "task_started":
        if (line["is_backgrounded"] !== false) this.begin(id, line, line["is_backgrounded"] === true ? "running" : "called");
        return;
      case "task_updated":
        if (objectOf(line["patch"])?.["end_time"] !== undefined) this.end(id);
        return;
      case "task_notification":
        return this.end(id);
    }
  }

  /** A call of the main agent has its result; the next request reports every task that has ended by now to the model. */
  sawToolResult(callId: string): void {
    for (const task of this.inState("unreported")) task.state = "over";
    for (const task of this.inState("called")) if (task.line["tool_use_id"] === callId) task.state = "running";
  }

  /** A turn has ended; if a task caused it, the model knows of that task. */
  sawResult({ origin }: JsonObject): void {
    const { kind, runId } = objectOf(origin) ?? {};
    if (kind !== "task-notification") return;
    const unreported = this.inState("unreported");
    const reported = unreported.find(({ line }) => line["run_id"] === runId) ?? unreported[0];
    if (reported !== undefined) reported.state = "over";
  }

  private list(lines: readonly JsonObject[]): void {
    const ids = new Set(lines.map((line) => stringOf(line["task_id"]) ?? ""));
    for (const line of lines) this.begin(stringOf(line["task_id"]) ?? "", line, "running");
    for (const [id, task] of this.tasks) if (task.state === "running" && !ids.has(id)) task.state = "unlisted";
  }

  /** Claude Code may later put a command into the background for which its call waited. */
  private begin(id: string, line: JsonObject, state: TaskState): void {
    const known = this.tasks.get(id);
    if (known === undefined) this.tasks.set(id, { line, state });
    else if (known.state === "called") known.state = state;
  }

  /** If a task ends before its call has a result, the call waited for it. */
  private end(id: string): void {
    const task = this.tasks.get(id);
    if (task?.state === "running" || task?.state === "unlisted") task.state = "unreported";
    else if (task?.state === "called") task.state = "over";
  }

  private inState(state: TaskState): Task[] {
    return [...this.tasks.values()].filter((task) => task.state === state);
  }
}
