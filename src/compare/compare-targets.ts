import type { Client } from "../client.ts";
import type { RunRequest, Target } from "../spec/request.ts";
import { targetName } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext } from "../spec/stream.ts";
import type { RunEvent } from "../spec/wire/events.ts";

/** The result of one target, its name, and its times since its first attempt began; the time in the queue is left out. */
export type ComparedResult = RunResult & {
  /** The provider, or provider/model. */
  readonly target: string;
  readonly durationMs: number;
  /** Absent if no text was streamed. */
  readonly firstTextMs?: number;
};

/** What is not data of a comparison. */
export type CompareContext = Pick<RunContext, "signal" | "commit"> & {
  /** Called for each event of each target. */
  readonly onEvent?: (event: RunEvent, target: string) => void;
  /** Called when a target has answered or failed. */
  readonly onResult?: (result: ComparedResult) => void;
};

/**
 * Sends one request to each target, at the same time within the limits of the client, and without fallback. A target that fails does not stop the
 * others. Resolves with all results in the order of the targets; never rejects.
 */
export async function compareTargets(
  client: Client,
  targets: readonly Target[],
  request: RunRequest,
  context: CompareContext = {},
): Promise<readonly ComparedResult[]> {
  return await Promise.all(targets.map((target) => askTarget(client, target, request, context)));
}

async function askTarget(client: Client, target: Target, request: RunRequest, context: CompareContext): Promise<ComparedResult> {
  const { onEvent, onResult, ...runContext } = context;
  const name = targetName(target);
  const times = new RunTimes();
  const stream = client.run(target, request, { ...runContext, fullQueue: "wait" });
  for await (const event of stream) {
    times.see(event);
    onEvent?.(event, name);
  }
  const result = { target: name, ...times.read(), ...(await stream.outcome()) };
  onResult?.(result);
  return result;
}

/** Reads the times of a run from its events. */
class RunTimes {
  private startMs: number | undefined;
  private firstTextMs: number | undefined;
  private lastMs = 0;

  see({ type, atMs, parentToolId }: RunEvent): void {
    this.lastMs = atMs;
    if (type === "attempt-start") this.startMs ??= atMs;
    // The text of an attempt that is repeated is void.
    if (type === "retry") this.firstTextMs = undefined;
    if (type === "text-delta" && parentToolId === undefined) this.firstTextMs ??= atMs;
  }

  read(): Pick<ComparedResult, "durationMs" | "firstTextMs"> {
    const since = (ms: number): number => Math.round(ms - (this.startMs ?? ms));
    return {
      durationMs: since(this.lastMs),
      ...(this.firstTextMs !== undefined && { firstTextMs: since(this.firstTextMs) }),
    };
  }
}
