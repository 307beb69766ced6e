import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { providerContract } from "./provider-contract.ts";

type Expected = { complete: boolean; format?: string; runs: { events?: JsonObject[]; result: Record<string, unknown> }[] };

const RECORDED = fileURLToPath(new URL("../../fixtures/claude/partial-tool-call/", import.meta.url));
let fixtures = "";

beforeEach(() => {
  fixtures = mkdtempSync(join(tmpdir(), "coxswain-contract-"));
  cpSync(RECORDED, join(fixtures, "case"), { recursive: true });
});

afterEach(() => {
  rmSync(fixtures, { recursive: true, force: true });
});

/** Changes expected.json and returns the first error of the contract. */
function judge(change: (expected: Expected) => void): string | undefined {
  const file = join(fixtures, "case", "expected.json");
  const expected: Expected = JSON.parse(readFileSync(file, "utf8"));
  change(expected);
  writeFileSync(file, JSON.stringify(expected));
  return firstError();
}

function firstError(): string | undefined {
  for (const { run } of providerContract(claude, { fixtures })) {
    const error = errorOf(run);
    if (error !== undefined) return error;
  }
  return undefined;
}

function errorOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Removes the events, so that only the result is compared. */
function resultOf(expected: Expected): Record<string, unknown> {
  const [run] = expected.runs;
  if (run === undefined) throw new Error("no run");
  expected.complete = false;
  delete run.events;
  return run.result;
}

it.each<[string, Partial<Provider>, string]>([
  ["an id in upper case", { id: "Claude" }, 'Rename "Claude"'],
  ["no versions", { versionsChecked: undefined as never }, "Set versionsChecked"],
  ["a rule without a condition", { faults: [{ code: "refused" }] }, "Give faults[0] a kind"],
  ["a code that does not exist", { faults: [{ kind: "x", code: "over-loaded" as never }] }, "Did you mean overloaded?"],
])("a provider with %s fails a check that says what to do", (_what, changes, words) => {
  const checks = providerContract({ ...claude, ...changes });
  expect(checks.flatMap(({ run }) => errorOf(run) ?? [])).toEqual([expect.stringContaining(words)]);
});

describe("a field in expected.json is compared", () => {
  it("an unchanged case passes", () => {
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

  it("a missing, additional or different event fails", () => {
    const changes: readonly ((events: JsonObject[]) => void)[] = [
      (events) => events.pop(),
      (events) => events.push({ type: "text-end", messageId: "x" }),
      (events) => events.splice(1, 1, { ...events[1], text: "other" }),
      (events) => events.reverse(),
    ];
    for (const change of changes) {
      const original = readFileSync(join(RECORDED, "expected.json"));
      writeFileSync(join(fixtures, "case", "expected.json"), original);
      const error = judge(({ runs }) => change(runs[0]?.events ?? []));
      expect(error).toMatch(
        /^The events \(\+\) are not expected\.json, runs\[0\]\.events \(-\)\.\nExpected values to be strictly deep-equal/,
      );
    }
  });

  it("the replay uses the format in expected.json", () => {
    expect(judge((expected) => (expected.format = "text"))).toMatch(/strictly|runs/);
  });

  it("too many runs, no runs, and a complete case without events each have their own message", () => {
    expect(judge(({ runs }) => runs.push({ result: {} }))).toContain("has 1 runs, and expected.json names 2");
    expect(judge((expected) => expected.runs.splice(0))).toContain("names no run");
    expect(judge((expected) => expected.runs.push({ result: {} }))).toContain("lacks the events");
  });

  it("a case without expected.json fails its own checks, and the error names the file", () => {
    rmSync(join(fixtures, "case", "expected.json"));
    expect(firstError()).toContain("expected.json");
  });
});

describe("a field that expected.json does not have is not compared", () => {
  it("in a result", () => {
    const unstated = { complete: false, runs: [{ result: {} }] };
    expect(judge((expected) => Object.assign(expected, unstated))).toBeUndefined();
    expect(judge(({ runs }) => (runs[0] = { result: { toolCalls: [{ name: "Bash" }], finish: "stop" } }))).toBeUndefined();
  });

  it("a file in the fixtures folder is no case", () => {
    writeFileSync(join(fixtures, "README.md"), "About these cases.\n");
    expect(firstError()).toBeUndefined();
  });
});
