import type { JsonObject } from "../spec/json.ts";
import { defined } from "../spec/json.ts";
import type { RunRequest, Targets } from "../spec/request.ts";
import { targetName } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { McpCall, McpHost } from "./mcp-host.ts";

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

export function logCall(host: McpHost, about: { tool: string; targets: Targets; startedAt: number; result: RunResult }): void {
  const { tool, targets, startedAt, result } = about;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  host.log(`${tool} ${targets.map(targetName).join(",")} ${seconds} s ${result.failure?.code ?? "answered"}`);
}

export function ofOneMessage({ outputSchema, timeouts }: Partial<RunRequest>): Pick<RunRequest, "outputSchema" | "timeouts"> {
  return defined({ outputSchema, timeouts });
}

export function promptOf({ prompt }: JsonObject): string {
  return typeof prompt === "string" ? prompt : "";
}

/** A report this often keeps a client waiting that gives up on a silent call; clients wait 60 s by default. */
const REPORT_MS = 2000;

/** Reports the progress of a run in words without any text of the prompt or the answer: at once when something changes, and every two seconds. */
export class RunProgress {
  private readonly report: (message: string) => void;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly startedAt = performance.now();
  private words = "waiting";
  private characters = 0;

  constructor(report: ((message: string) => void) | undefined) {
    this.report = report ?? (() => undefined);
    this.timer = report === undefined ? undefined : setInterval(() => this.tell(), REPORT_MS);
  }

  see(event: RunEvent): void {
    switch (event.type) {
      case "attempt-start":
        this.characters = 0;
        return this.change(`${targetName(event)} is working`);
      case "text-delta":
        this.characters += event.text.length;
        return;
      case "tool-call":
        return this.change(`uses ${event.name}`);
      case "queue-wait":
        return this.change(`in the queue at position ${event.position}`);
      case "retry":
        return this.change(`repeats after ${event.failure.code}`);
      case "fallback":
        return this.change(`asks the next CLI after ${event.failure.code}`);
      default:
    }
  }

  change(words: string): void {
    this.words = words;
    this.tell();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tell(): void {
    const seconds = Math.round((performance.now() - this.startedAt) / 1000);
    const said = this.characters === 0 ? "" : `, ${this.characters} characters so far`;
    this.report(`${this.words}${said} (${seconds} s)`);
  }
}
