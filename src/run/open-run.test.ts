import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunStream } from "../spec/stream.ts";
import type { RunEnd, RunEvent } from "../spec/wire/events.ts";
import { openRun } from "./open-run.ts";
import { cancelledEnd, type PartContext } from "./part.ts";

let folder = "";
let temporaryFolderBefore: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-open-run-"));
  temporaryFolderBefore = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
});

afterEach(() => {
  if (temporaryFolderBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporaryFolderBefore;
  rmSync(folder, { recursive: true, force: true });
});

it("a run in progress whose events in the spill are lost is cancelled and ends with that failure", async () => {
  const run = open(async (context) => {
    writePieces(context);
    return await new Promise<RunEnd>((resolve) =>
      context.signal.addEventListener("abort", () => resolve(cancelledEnd("so far"))),
    );
  });
  loseSpill();
  const events = await readAll(run);
  expect(events.map(({ type }) => type)).toEqual(["run-start", "run-end"]);
  expect(events.at(-1)).toMatchObject({ failure: { code: "state-unusable" }, seq: 1 });
  const { failure } = await run.outcome();
  expect(failure).toMatchObject({ code: "state-unusable", partialText: "so far" });
});

it("a finished run whose events in the spill are lost has its result, and its events end with the failure", async () => {
  const run = open(async (context) => {
    writePieces(context);
    return { type: "run-end", finish: "stop", answerId: "m" };
  });
  expect((await run.outcome()).text).toBe("piece 0 piece 1 piece 2 ");
  loseSpill();
  expect((await readAll(run)).at(-1)).toMatchObject({ type: "run-end", failure: { code: "state-unusable" } });
});

function open(begin: (context: PartContext) => Promise<RunEnd>): RunStream {
  const host = {
    limits: { lineBytes: 1_000, spillBytes: 1_000 },
    spills: new Set<never>(),
    closing: new AbortController().signal,
    nextRunId: () => "run",
  };
  return openRun(host, undefined, {}, begin);
}

function writePieces({ writer }: PartContext): void {
  writer.flush();
  for (let index = 0; index < 3; index += 1) {
    writer.writeText("m", `piece ${index} `);
    writer.flush(10_000);
  }
}

function loseSpill(): void {
  for (const name of readdirSync("/proc/self/fd")) {
    try {
      const path = `/proc/self/fd/${name}`;
      if (readlinkSync(path).startsWith(folder)) truncateSync(path, 0);
    } catch {}
  }
}

async function readAll(run: RunStream): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
