import type { JsonObject } from "../spec/json.ts";
import { listOf, objectOf, stringOf } from "./json-access.ts";

/**
 * `called`: its call has no result yet, and the CLI did not say whether it waits (2.1.197). `untold`: it is over and the model
 * has not heard of it.
 */
type TaskState = "called" | "running" | "unlisted" | "untold" | "over";

type Task = { readonly line: JsonObject; state: TaskState };

/**
 * The work that Claude Code does in the background of a run. That a task is over is told to the model with its next request,
 * when that follows a tool result, else by a turn of its own, whose `result` names the task (measured with 2.1.325 and 2.1.197).
 */
export class BackgroundTasks {
  private readonly tasks = new Map<string, Task>();

  /** What is still being worked on, in the CLI's words. */
  get open(): readonly string[] {
    return this.inState("running").map(({ line }) => stringOf(line["description"]) ?? "a task");
  }

  /** Whether the CLI takes another turn by itself, to tell the model of a task that is over. */
  get isTurnDue(): boolean {
    return this.inState("untold").length > 0;
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

  /** A call of the main speaker has its result; the request that follows tells the model of all that is over by now. */
  sawToolResult(callId: string): void {
    for (const task of this.inState("untold")) task.state = "over";
    for (const task of this.inState("called")) if (task.line["tool_use_id"] === callId) task.state = "running";
  }

  /** A turn is over; one that a task caused has told the model of it. */
  sawResult({ origin }: JsonObject): void {
    const { kind, runId } = objectOf(origin) ?? {};
    if (kind !== "task-notification") return;
    const untold = this.inState("untold");
    const told = untold.find(({ line }) => line["run_id"] === runId) ?? untold[0];
    if (told !== undefined) told.state = "over";
  }

  private list(lines: readonly JsonObject[]): void {
    const ids = new Set(lines.map((line) => stringOf(line["task_id"]) ?? ""));
    for (const line of lines) this.begin(stringOf(line["task_id"]) ?? "", line, "running");
    for (const [id, task] of this.tasks) if (task.state === "running" && !ids.has(id)) task.state = "unlisted";
  }

  /** A command that its call waited for may be put into the background later. */
  private begin(id: string, line: JsonObject, state: TaskState): void {
    const known = this.tasks.get(id);
    if (known === undefined) this.tasks.set(id, { line, state });
    else if (known.state === "called") known.state = state;
  }

  /** What is over before its call has a result was waited for by the call. */
  private end(id: string): void {
    const task = this.tasks.get(id);
    if (task?.state === "running" || task?.state === "unlisted") task.state = "untold";
    else if (task?.state === "called") task.state = "over";
  }

  private inState(state: TaskState): Task[] {
    return [...this.tasks.values()].filter((task) => task.state === state);
  }
}
