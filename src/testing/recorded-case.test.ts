import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { collect } from "../run/collect.ts";
import { readRecordedCase } from "./recorded-case.ts";
import { replayRecording } from "./replay.ts";

const EXPECTED = { complete: false, runs: [{ result: { text: "Hi", sessionId: null, failure: null } }] };
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-recorded-case-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("a case is read byte for byte, with how it ended and what is expected of it", () => {
  const stdout = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0, 10]);
  writeCase({ argv: ["claude", "-p", "--output-format", "stream-json"], exitCode: 3 }, stdout, "complaint é\n");
  const { recording, expected } = readRecordedCase(folder);
  expect(Buffer.from(recording.stdout)).toEqual(stdout);
  expect(recording).toMatchObject({ format: "stream-json", stderr: "complaint é\n", exitCode: 3 });
  expect(recording).not.toHaveProperty("signal");
  expect(expected).toEqual(EXPECTED);
});

it("a case that was ended by a signal has no exit code", () => {
  writeCase({ argv: ["claude"], signal: "SIGKILL" });
  const { recording } = readRecordedCase(folder);
  expect(recording).toMatchObject({ signal: "SIGKILL" });
  expect(recording).not.toHaveProperty("exitCode");
});

it("exit code zero is an exit code", () => {
  writeCase({ argv: ["claude"], exitCode: 0 });
  expect(readRecordedCase(folder).recording.exitCode).toBe(0);
});

it.each([
  [["claude", "-p", "--output-format", "stream-json", "--verbose"], "stream-json"],
  [["claude", "-p", "--verbose", "--output-format", "json"], "json"],
  [["claude", "-p", "--output-format", "text"], "text"],
  [["claude", "-p"], "text"],
  [["claude", "-p", "--output-format"], "text"],
  [["claude", "-p", "--output-format", "yaml"], "text"],
])("the arguments %j mean the format %s", (argv, format) => {
  writeCase({ argv });
  expect(readRecordedCase(folder).recording.format).toBe(format);
});

it.each([
  ["codex", ["codex", "exec", "--json", "-"], "stream-json"],
  ["codex", ["codex", "exec", "-"], "text"],
  ["gemini", ["gemini", "-o", "stream-json"], "stream-json"],
  ["gemini", ["gemini", "-p", "Hi", "-o", "json"], "json"],
  ["gemini", ["gemini", "-o", "yaml"], "text"],
  ["qwen", ["qwen", "--output-format", "stream-json"], "stream-json"],
  ["opencode", ["opencode", "run", "--format", "json", "Hi"], "stream-json"],
  ["opencode", ["opencode", "run", "Hi"], "text"],
  ["copilot", ["copilot", "-p", "Hi", "--output-format", "json"], "stream-json"],
  ["copilot", ["copilot", "-p", "Hi"], "text"],
  ["grok-build", ["grok", "--output-format", "streaming-messages-json"], "stream-json"],
  ["grok-build", ["grok", "--output-format", "streaming-json"], "stream-json"],
  ["grok-build", ["grok", "--output-format", "json"], "json"],
  ["grok-build", ["grok", "--output-format", "plain", "--json-schema", "{}"], "text"],
  ["grok-build", ["grok", "--json-schema", "{}"], "json"],
  ["grok", ["grok", "-p", "Hi"], "stream-json"],
  ["ax-glm", ["ax-glm", "--prompt", "Hi"], "stream-json"],
  ["ax-glm", ["ax-glm", "--json", "--prompt", "Hi"], "json"],
])("for %s, the arguments %j mean the format %s", (cli, argv, format) => {
  writeCase({ argv, cli });
  expect(readRecordedCase(folder).recording.format).toBe(format);
});

it("a folder that lacks a file is an error that names it", () => {
  writeCase({ argv: ["claude"] });
  rmSync(join(folder, "stderr"));
  expect(() => readRecordedCase(folder)).toThrow("stderr");
});

it("a recording of this repository can be read and replayed", () => {
  const path = fileURLToPath(new URL("../../fixtures/claude/append-system-prompt", import.meta.url));
  const { recording, expected } = readRecordedCase(path);
  const results = replayRecording(claude, recording).map(collect);
  expect(results.map(({ text, sessionId }) => ({ text, sessionId }))).toEqual(
    expected.runs.map(({ result: { text, sessionId } }) => ({ text, sessionId })),
  );
});

type About = { readonly argv: readonly string[]; readonly cli?: string; readonly exitCode?: number; readonly signal?: string };

function writeCase({ argv, cli = "claude", exitCode, signal }: About, stdout: Uint8Array = Buffer.alloc(0), stderr = ""): void {
  writeFileSync(join(folder, "case.json"), JSON.stringify({ cli, argv, exitCode: exitCode ?? null, signal: signal ?? null }));
  writeFileSync(join(folder, "expected.json"), JSON.stringify(EXPECTED));
  writeFileSync(join(folder, "stdout"), stdout);
  writeFileSync(join(folder, "stderr"), stderr);
}
