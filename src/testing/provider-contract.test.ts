import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { JsonObject } from "../spec/json.ts";
import { providerContract } from "./provider-contract.ts";

type Expected = { complete: boolean; format?: string; runs: { events?: JsonObject[]; result: Record<string, unknown> }[] };

const RECORDED = fileURLToPath(new URL("../../fixtures/claude/partial-tool-call", import.meta.url));
let fixtures = "";

beforeEach(() => {
  fixtures = mkdtempSync(join(tmpdir(), "coxswain-contract-"));
  cpSync(RECORDED, join(fixtures, "case"), { recursive: true });
});

afterEach(() => {
  rmSync(fixtures, { recursive: true, force: true });
});

/** The first complaint of the contract about the case, after its expectation was changed. */
function judge(change: (expected: Expected) => void): string | undefined {
  const file = join(fixtures, "case", "expected.json");
  const expected: Expected = JSON.parse(readFileSync(file, "utf8"));
  change(expected);
  writeFileSync(file, JSON.stringify(expected));
  return firstComplaint();
}

function firstComplaint(): string | undefined {
  for (const { run } of providerContract(claude, { fixtures })) {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
  }
  return undefined;
}

/** Leaves out the events, so that the result alone is judged. */
function resultOf(expected: Expected): Record<string, unknown> {
  const [run] = expected.runs;
  if (run === undefined) throw new Error("no run");
  expected.complete = false;
  delete run.events;
  return run.result;
}

describe("what expected.json states is judged", () => {
  it("a case that is as it was written down passes", () => {
    expect(judge(() => {})).toBeUndefined();
  });

  it.each<[string, JsonObject]>([
    ["text", { text: "Something else" }],
    ["session", { sessionId: "another" }],
    ["end", { finish: "length" }],
    ["failure", { failure: { category: "server", code: "overloaded" } }],
    ["input of a tool", { toolCalls: [{ id: "toolu_000006fake", input: { command: "echo ho", description: "Run a command" } }] }],
    ["output of a tool", { toolCalls: [{ output: "ho" }] }],
    ["number of tool calls", { toolCalls: [] }],
    ["denials", { permissionDenials: [{ name: "Bash" }] }],
    ["usage", { usage: { inputTokens: 1, estimated: false, scope: "turn" } }],
    ["lack of usage", { usage: null }],
    ["cost", { costUsd: 0.0047 }],
    ["lack of cost", { costUsd: null }],
    ["warnings", { warnings: [{ code: "cost-unknown" }] }],
    ["field that no result has", { colour: "blue" }],
  ])("another %s fails", (_what, wrong) => {
    expect(judge((expected) => void Object.assign(resultOf(expected), wrong))).toMatch(/strictly deep-equal/);
  });

  it("an event that is missing, too many or otherwise fails", () => {
    const changes: readonly ((events: JsonObject[]) => void)[] = [
      (events) => events.pop(),
      (events) => events.push({ type: "text-end", messageId: "x" }),
      (events) => events.splice(1, 1, { ...events[1], text: "other" }),
      (events) => events.reverse(),
    ];
    for (const change of changes) {
      const original = readFileSync(join(RECORDED, "expected.json"));
      writeFileSync(join(fixtures, "case", "expected.json"), original);
      expect(judge(({ runs }) => change(runs[0]?.events ?? []))).toMatch(/strictly deep-equal/);
    }
  });

  it("the format is the one that it names", () => {
    expect(judge((expected) => (expected.format = "text"))).toMatch(/strictly|runs/);
  });

  it("more runs than there are, none, and a complete case without events are said in words", () => {
    expect(judge(({ runs }) => runs.push({ result: {} }))).toContain("has 1 runs, and expected.json names 2");
    expect(judge((expected) => expected.runs.splice(0))).toContain("names no run");
    expect(judge((expected) => expected.runs.push({ result: {} }))).toContain("lacks the events");
  });

  it("a case without an expectation fails its own checks, and names the file", () => {
    rmSync(join(fixtures, "case", "expected.json"));
    expect(firstComplaint()).toContain("expected.json");
  });
});

describe("what expected.json does not state is not judged", () => {
  it("a result without a field", () => {
    const unstated = { complete: false, runs: [{ result: {} }] };
    expect(judge((expected) => Object.assign(expected, unstated))).toBeUndefined();
    expect(judge(({ runs }) => (runs[0] = { result: { toolCalls: [{ name: "Bash" }], finish: "stop" } }))).toBeUndefined();
  });

  it("a file beside the cases", () => {
    writeFileSync(join(fixtures, "README.md"), "About these cases.\n");
    expect(firstComplaint()).toBeUndefined();
  });
});
