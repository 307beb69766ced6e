import { expect, it } from "vitest";
import { canMountDisk } from "../../support/processes/on-disk.ts";
import { expectNothingLeft } from "../../support/runs/run-expectations.ts";
import { startHost } from "../host-process.ts";
import type { SlowConsumerReport } from "../hosts/slow-consumer.ts";

const PIECES = 4_000;

it("on a disk that is full before the spill is written, no event is lost or out of order", async () => {
  const report = await runOnDisk("size=64k", { SPILL_BYTES: "100000" });
  if (report === undefined) return;
  // The events before the first pause are pulled from memory; all others wait in the file or, when it is full, in memory.
  expect(report.pulledBefore).toBeLessThan(50);
  expect(report).toMatchObject({ piecesInOrder: PIECES, isNumbered: true, end: { type: "run-end", finish: "stop" } });
  expect(report.leftovers).toEqual([]);
});

it("on a disk that is full before the files of a run are written, the run says why, and nothing is left of them", {
  timeout: 120_000,
}, async () => {
  const report = await runOnDisk("size=4k");
  if (report === undefined) return;
  const failure = { code: "state-unusable", message: expect.stringContaining("ENOSPC") };
  expect(report.end).toMatchObject({ type: "run-end", failure });
  expect(report.leftovers).toEqual([]);
});

it("on a disk with any number of free files, a run says why it failed or loses nothing, and leaves nothing", {
  timeout: 240_000,
}, async () => {
  const outcomes = new Set<string>();
  for (let files = 1; files <= 14; files += 1) {
    const report = await runOnDisk(`size=1m,nr_inodes=${files}`, { SPILL_BYTES: "100000" });
    if (report === undefined) return;
    const { end, leftovers, piecesInOrder, isNumbered } = report;
    const failure = end.type === "run-end" ? end.failure : undefined;
    outcomes.add(failure?.code ?? "answered");
    if (failure === undefined) expect({ files, piecesInOrder }).toEqual({ files, piecesInOrder: PIECES });
    else expect(failure.message).toContain("ENOSPC");
    expect({ files, leftovers, isNumbered }).toEqual({ files, leftovers: [], isNumbered: true });
  }
  expect([...outcomes]).toEqual(["state-unusable", "answered"]);
});

it.each<[string, Readonly<Record<string, string>>]>([
  ["fails", {}],
  ["ignores it", { IGNORES_ERRORS: "1" }],
])("output that does not fit on the disk fails the run, which says why, also if the CLI %s", async (_name, env) => {
  const report = await runOnDisk("size=200k", { PROGRAM: "fills-disk", STDOUT: "file", ...env });
  if (report === undefined) return;
  const failure = { code: "output-truncated", message: expect.stringContaining("disk of the temporary directory is full") };
  expect(report.end).toMatchObject({ type: "run-end", failure });
  expect(report.leftovers).toEqual([]);
});

/** Undefined if this machine cannot mount a disk. */
async function runOnDisk(options: string, env: Readonly<Record<string, string>> = {}): Promise<SlowConsumerReport | undefined> {
  if (!canMountDisk()) return undefined;
  const host = startHost<SlowConsumerReport>("slow-consumer", { PIECES: String(PIECES), ...env }, { options });
  const report = await host.report;
  expect(await host.exit).toEqual({ code: 0, signal: null });
  await expectNothingLeft(report.runId);
  return report;
}
