import type { RunBatch, RunEvent, RunListener } from "../../../src/index.ts";

/** What a listener got of one run. */
export type HeardRun = {
  readonly batches: readonly RunBatch[];
  readonly events: readonly RunEvent[];
  /** The target, attempt and turn of each batch, without repetitions. */
  readonly places: readonly string[];
};

/** A listener that remembers what it gets. */
export function listenToRuns(): { readonly onRun: RunListener; runs(): readonly HeardRun[] } {
  const batches = new Map<string, RunBatch[]>();
  return {
    onRun: (batch) => {
      const before = batches.get(batch.runId) ?? [];
      batches.set(batch.runId, [...before, batch]);
    },
    runs: () =>
      [...batches.values()].map((each) => ({
        batches: each,
        events: each.flatMap(({ events }) => events),
        places: [...new Set(each.map(placeOf))],
      })),
  };
}

function placeOf({ kind, provider, model, attempt, session }: RunBatch): string {
  return [kind, provider, model, attempt, session && `turn ${session.turn}`].filter((word) => word !== undefined).join(" ");
}
