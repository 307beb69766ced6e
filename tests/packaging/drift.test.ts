import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { compareVersionsOf } from "../../scripts/drift/compare.ts";
import { fieldPaths } from "../../scripts/drift/field-paths.ts";
import { normalize, normalizePath } from "../../scripts/drift/normalize.ts";
import type { Observation, RunObservation } from "../../scripts/drift/probe.ts";
import { toMarkdown } from "../../scripts/drift/report.ts";
import { writeRecordings } from "../../scripts/drift/write-recordings.ts";

const DRIFT = join(import.meta.dirname, "../../scripts/drift");

describe("the observations of two versions", () => {
  const from = observe({ lines: [{ type: "system", subtype: "init", a: 1 }, { type: "result" }] });
  const to = observe({
    lines: [{ type: "system", subtype: "init", b: 1 }, { type: "result" }, { type: "result" }, { type: "ping" }],
    outcome: { finish: "error", failure: "server-error" },
    texts: ["hi", "# Environment"],
    tools: ["Shell"],
    filesLeft: ["home/log-<id>.json", "home/usage.jsonl"],
  });

  test("are compared by events, fields, lines, outcome, requests and files", () => {
    const { newEvents, goneEvents, fields, probes } = compareVersionsOf([{ from, to }]);
    expect([newEvents, goneEvents]).toEqual([["ping"], []]);
    expect(fields).toEqual([
      { event: "system/init", added: ["b"], gone: ["a"] },
      { event: "ping", added: ["type"], gone: [] },
    ]);
    expect(probes[0]?.lines).toContainEqual({ what: "result", from: "1", to: "2" });
    expect(probes[0]?.outcome).toContainEqual({ what: "failure", from: "none", to: "server-error" });
    expect(probes[0]?.requests).toEqual([
      { what: "request 1: tools", from: "", to: '"Shell"' },
      { what: "request 1: texts", from: "", to: '"# Environment"' },
    ]);
    expect(probes[0]?.left).toEqual([{ what: "home/usage.jsonl", from: "not left", to: "left" }]);
  });

  test("are equal where only ids, times and paths differ", () => {
    const other = observe({
      lines: [{ type: "system", subtype: "init", a: 2 }, { type: "result" }],
      root: "/tmp/coxswain-real-b",
    });
    const { probes, fields } = compareVersionsOf([{ from, to: other }]);
    expect(fields).toEqual([]);
    expect(probes).toEqual([{ probe: "any", outcome: [], lines: [], requests: [], left: [], process: [] }]);
  });

  test("are reported as Markdown, with the same change of several probes in one row", () => {
    const drift = compareVersionsOf([
      { from, to },
      { from: { ...from, probe: "another" }, to: { ...to, probe: "another" } },
    ]);
    const report = toMarkdown({ cli: "parrot", from: "1.0.0", to: "2.0.0", drift });
    expect(report).toContain("# Drift of parrot: 1.0.0 → 2.0.0");
    expect(report).toContain("| any, another | failure | none | server-error |");
  });

  test("are written as fixtures without paths of this machine", () => {
    const folder = openFolder();
    const stderr = "at /tmp/coxswain-real-a/home 127.0.0.1:4711";
    expect(writeRecordings(folder, "parrot", "2.0.0", [observe({ lines: [], stderr })])).toBe(1);
    expect(readFileSync(join(folder, "any/stderr"), "utf8")).toBe("at /sandbox/home 127.0.0.1:PORT");
    expect(JSON.parse(readFileSync(join(folder, "any/case.json"), "utf8"))).toMatchObject({ cli: "parrot", version: "2.0.0" });
  });
});

test("field paths treat keys that are data alike", () => {
  expect(fieldPaths({ a: [{ b: 1 }, { c: [] }], usage: { "model-4-8": { n: 1 } } })).toEqual(["a[].b", "a[].c", "usage.*.n"]);
});

test("parts that vary between runs are removed", () => {
  const text = "/tmp/x at 2026-01-01T10:00:00.000Z: 0f8fad5b-d9cb-469f-a165-70867728950e on 127.0.0.1:4711";
  expect(normalize(text, "/tmp/x")).toBe("<root> at <time>: <id> on <api>");
  expect(normalizePath("tmp/fswatch-probe-vBHpRR/probe", "/tmp/x")).toBe("tmp/fswatch-probe-<id>/probe");
});

describe("the programs", () => {
  test("--help prints the options, and an unknown option is refused", () => {
    const words = ["--disable-warning=ExperimentalWarning", join(DRIFT, "drift.ts")];
    expect(execFileSync(process.execPath, [...words, "--help"], { encoding: "utf8" })).toContain("npm run drift -- [options]");
    const { status, stderr } = spawnSync(process.execPath, [...words, "--no-such-option"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("drift: Unknown option '--no-such-option'")]);
  });

  test("the recorder passes and stores arguments, input, output and exit code", () => {
    const folder = openFolder();
    const script = "cat; echo bad >&2; exit 3";
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", join(DRIFT, "recorder.ts"), "-c", script],
      { input: "some input", encoding: "utf8", env: { ...process.env, DRIFT_COMMAND: "/bin/sh", DRIFT_FOLDER: folder } },
    );
    expect([status, stdout, stderr]).toEqual([3, "some input", "bad\n"]);
    const kept = ["stdin", "stdout", "stderr", "argv.json", "exit.json"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(kept).toEqual([
      "some input",
      "some input",
      "bad\n",
      JSON.stringify(["-c", script]),
      JSON.stringify({ exitCode: 3, signal: null }),
    ]);
  });
});

type Seen = {
  readonly lines: readonly object[];
  readonly outcome?: Partial<RunObservation["outcome"]>;
  readonly texts?: readonly string[];
  readonly tools?: readonly string[];
  readonly filesLeft?: readonly string[];
  readonly stderr?: string;
  readonly root?: string;
};

function observe({
  lines,
  outcome = {},
  texts = ["hi"],
  tools = [],
  stderr = "",
  root = "/tmp/coxswain-real-a",
  ...rest
}: Seen): Observation {
  const said = { finish: "stop", failure: null, message: `at ${root}`, text: "", toolCalls: [], warnings: [], ...outcome };
  const run = { argv: [], env: {}, stdin: "", stderr, exitCode: 0, signal: null, durationMs: 1_000, outcome: said };
  return {
    probe: "any",
    runs: [{ ...run, stdout: lines.map((line) => `${JSON.stringify(line)}\n`).join("") }],
    requests: [{ bytes: 100, fields: ["model"], tools, roles: ["user"], texts }],
    processesLeft: 0,
    filesLeft: rest.filesLeft ?? ["home/log-<id>.json"],
    root,
  };
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-drift-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
