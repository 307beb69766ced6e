import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../src/client.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { RunContext, RunStream } from "../../src/spec/stream.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";

const JOURNAL = ".journal";

/** The observation of a real call. */
export type SeenCall = {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
  /** Processes that recorded their start, by provider. */
  readonly processes: Readonly<Record<string, number>>;
  /** The run ids of those processes; two with the same id would be ended together. */
  readonly runIds: readonly string[];
  readonly elapsedMs: number;
};

/** A real call to make. */
export type CallToRun = {
  readonly client: Client;
  readonly targets: readonly Target[];
  readonly request: RunRequest;
  readonly context: RunContext;
  readonly reads: "events" | "result";
  readonly directory: string;
  /** Called with each event; true leaves the loop. */
  readonly onEvent?: (event: RunEvent, stream: RunStream) => boolean;
  readonly onStart?: (stream: RunStream) => void;
};

/** Makes a call and reads it to its end. */
export async function runCall({ client, targets, request, context, reads, directory, ...watch }: CallToRun): Promise<SeenCall> {
  const startedAt = performance.now();
  const stream = client.run(targets, request, { ...context, ...(reads === "result" && { keepEvents: true }) });
  watch.onStart?.(stream);
  const events: RunEvent[] = [];
  if (reads === "result") await stream.result().catch(() => undefined);
  else {
    for await (const event of stream) {
      events.push(event);
      if (watch.onEvent?.(event, stream) === true) break;
    }
  }
  const result = await stream.outcome();
  return {
    events: reads === "result" ? (result.events ?? []) : events,
    result,
    processes: startedIn(directory),
    runIds: runIdsIn(directory),
    elapsedMs: performance.now() - startedAt,
  };
}

/** How many processes of each provider recorded their start in the directory of a call. */
export function startedIn(directory: string): Readonly<Record<string, number>> {
  return Object.fromEntries(journalsIn(directory).map(([provider, runs]) => [provider, runs.length] as const));
}

/** The run ids of all processes that recorded their start in the directory of a call. */
function runIdsIn(directory: string): readonly string[] {
  return journalsIn(directory).flatMap(([, runs]) => runs);
}

function journalsIn(directory: string): readonly (readonly [string, readonly string[]])[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(JOURNAL));
  return names.map((name) => {
    const runs = readFileSync(join(directory, name), "utf8").split("\n");
    return [name.slice(0, -JOURNAL.length), runs.slice(0, -1)] as const;
  });
}
