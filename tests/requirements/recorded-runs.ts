import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { claude } from "../../src/clis/claude/provider.ts";
import { type Recording, replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { readRecordedCase } from "../../src/testing/recorded-case.ts";
import { toLines } from "../support/cox/start-rehearsal.ts";

/** The recording of one case of the Claude CLI. */
export function recordingOf(name: string): Recording {
  return readRecordedCase(folderOf(name)).recording;
}

/** The output lines of the Claude CLI in a case, parsed with JSON.parse only. */
export function rawLines(name: string): readonly JsonObject[] {
  return toLines(readFileSync(`${folderOf(name)}/stdout`, "utf8"));
}

/** The events of the first turn of a case. */
export function eventsIn(name: string): readonly RunEvent[] {
  return replayRecording(claude, recordingOf(name))[0] ?? [];
}

/** The result of the first turn of a case. */
export function resultOf(name: string): RunResult {
  return collect(eventsIn(name));
}

/** The events of the first run in these lines, as if the Claude CLI had printed them and ended with exit code 0. */
export function replayLines(lines: readonly JsonObject[]): readonly RunEvent[] {
  return replayText(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** The events of the first run in an output, as if the Claude CLI had printed it. */
export function replayText(stdout: string, about: Omit<Partial<Recording>, "stdout"> = {}): readonly RunEvent[] {
  const recording = { format: "stream-json", exitCode: 0, ...about, stdout: new TextEncoder().encode(stdout) } as const;
  return replayRecording(claude, recording)[0] ?? [];
}

function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/claude/${name}`, import.meta.url));
}
