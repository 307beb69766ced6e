import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { replayRecording } from "../replay/replay.ts";
import { collect } from "../run/collect.ts";
import { readRecordedCase } from "./recorded-case.ts";

const EXPECTED = { complete: false, runs: [{ result: { text: "Hi", sessionId: null, failure: null } }] };
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-recorded-case-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("a case is read byte for byte, with its exit and its expected.json", () => {
  const stdout = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0, 10]);
  writeCase({ exitCode: 3 }, stdout, "error é\n");
  const { recording, expected } = readRecordedCase(folder);
  expect(Buffer.from(recording.stdout)).toEqual(stdout);
  expect(recording).toMatchObject({ stderr: "error é\n", exitCode: 3 });
  expect(recording).not.toHaveProperty("signal");
  expect(expected).toEqual(EXPECTED);
});

it("a case that a signal ended has no exit code", () => {
  writeCase({ signal: "SIGKILL" });
  const { recording } = readRecordedCase(folder);
  expect(recording).toMatchObject({ signal: "SIGKILL" });
  expect(recording).not.toHaveProperty("exitCode");
});

it("exit code zero is an exit code", () => {
  writeCase({ exitCode: 0 });
  expect(readRecordedCase(folder).recording.exitCode).toBe(0);
});

it("the format comes from expected.json, or else from the provider", () => {
  writeCase({}, Buffer.from("Hi\n"));
  expect(readRecordedCase(folder).recording).not.toHaveProperty("format");
  writeFileSync(join(folder, "expected.json"), JSON.stringify({ format: "text", ...EXPECTED }));
  const { recording } = readRecordedCase(folder);
  expect(recording.format).toBe("text");
  expect(replayRecording(claude, recording).map((events) => collect(events).text)).toEqual(["Hi"]);
});

it("a missing file is an error that names the file", () => {
  writeCase({});
  rmSync(join(folder, "stderr"));
  expect(() => readRecordedCase(folder)).toThrow("stderr");
});

it("a recording of this repository can be read and replayed", () => {
  const path = fileURLToPath(new URL("../../fixtures/claude/append-system-prompt/", import.meta.url));
  const { recording, expected } = readRecordedCase(path);
  const results = replayRecording(claude, recording).map(collect);
  expect(results.map(({ text, sessionId }) => ({ text, sessionId }))).toEqual(
    expected.runs.map(({ result: { text, sessionId } }) => ({ text, sessionId })),
  );
});

type About = { readonly exitCode?: number; readonly signal?: string };

function writeCase({ exitCode, signal }: About, stdout: Uint8Array = Buffer.alloc(0), stderr = ""): void {
  writeFileSync(
    join(folder, "case.json"),
    JSON.stringify({ cli: "claude", argv: ["claude"], exitCode: exitCode ?? null, signal: signal ?? null }),
  );
  writeFileSync(join(folder, "expected.json"), JSON.stringify(EXPECTED));
  writeFileSync(join(folder, "stdout"), stdout);
  writeFileSync(join(folder, "stderr"), stderr);
}
