import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { textWidth } from "../../src/cli/terminal/text-width.ts";
import type { ComparedResult } from "../../src/compare/compare-targets.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { cox, coxWith, processesWith, startCox, temporaryFolder } from "../support/cox/start-cox.ts";
import { finalScreen, startInTerminal } from "../support/cox/start-terminal.ts";

function resultsOf(stdout: string): readonly ComparedResult[] {
  return JSON.parse(stdout).results;
}

function linesOf(stdout: string): readonly (RunEvent & { readonly target: string })[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe.concurrent("cox compare", () => {
  test("prints each answer under its name and a table; a failure goes to stderr and does not stop the others", async () => {
    const { stdout, stderr, exitCode } = await cox(["compare", "-p", "rehearsal/crash,rehearsal,rehearsal/tool", "hi"]);
    expect(stdout).toMatch(
      /^## rehearsal\nYou asked: “hi”\..*\n\n## rehearsal\/tool\nI have no tool Clock.*\n\ncli +result +first text +total +tokens in +out +cost\n/,
    );
    expect(stdout).toMatch(/\nrehearsal\/crash +crashed +\d.* m?s +\d.* m?s\nrehearsal +answered +\d.*s +\d.*s +1 +\d+ +\$0\n/);
    expect(stderr).toMatch(/^✗ rehearsal\/crash: Rehearsal was ended by SIGKILL before it answered\.\n→ .*\n$/);
    expect(exitCode).toBe(0);
  });

  test("--json has all results in the order of the targets, with times, tokens, cost and failures", async () => {
    const { stdout, stderr, exitCode } = await cox(["compare", "-p", "rehearsal/slow,rehearsal/quota", "--json", "hi"]);
    const [slow, quota] = resultsOf(stdout);
    expect(slow).toMatchObject({ target: "rehearsal/slow", provider: "rehearsal", model: "slow", finish: "stop", costUsd: 0 });
    expect(slow?.usage?.inputTokens).toBe(1);
    expect(slow?.firstTextMs).toBeGreaterThan(0);
    expect(slow?.durationMs).toBeGreaterThan((slow?.firstTextMs ?? 0) + 5000);
    expect(quota).toMatchObject({ target: "rehearsal/quota", finish: "error", failure: { code: "quota-exhausted" } });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("--stream-json names the target of each event; the runs are in progress at the same time", async () => {
    const { stdout } = await cox(["compare", "-p", "rehearsal,rehearsal/reasoning", "--stream-json", "hi"]);
    const events = linesOf(stdout);
    for (const target of ["rehearsal", "rehearsal/reasoning"]) {
      const own = events.filter((event) => event.target === target);
      expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index));
      expect([own[0]?.type, own.at(-1)?.type]).toEqual(["run-start", "run-end"]);
    }
    const firstEnd = events.findIndex(({ type }) => type === "run-end");
    expect(events.slice(0, firstEnd).filter(({ type }) => type === "attempt-start")).toHaveLength(2);
  });

  test("without an answer the exit code is that of the failures if they agree, otherwise 1", async () => {
    const same = ["compare", "-p", "rehearsal/rate-limit,rehearsal/overloaded", "--retries", "0", "hi"];
    const different = ["compare", "-p", "rehearsal/crash,rehearsal/not-logged-in", "hi"];
    const ended = await Promise.all([cox(same), cox(different)]);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([5, 1]);
    expect(ended[0]?.stdout).toMatch(/^cli +result +total\nrehearsal\/rate-limit +rate-limited /);
  });

  test("takes the prompt from stdin and files, a system prompt, a schema and a timeout", async () => {
    using folder = temporaryFolder();
    const file = folder.write("note.txt", "of the file");
    const schema = folder.write(
      "schema.json",
      JSON.stringify({ type: "object", properties: { boat: { enum: ["eight"] } }, required: ["boat"] }),
    );
    const words = ["-s", "12345678", "--file", file, "--schema", schema, "--timeout", "20", "--json"];
    const { stdout } = await coxWith("from stdin", ["compare", "-p", "rehearsal,rehearsal/silent", ...words, "word"]);
    const [answered, silent] = resultsOf(stdout);
    const prompt = `word\n\nFile "${file}":\n\`\`\`\nof the file\n\`\`\`\n\nfrom stdin`;
    expect(answered).toMatchObject({ object: { boat: "eight" }, usage: { inputTokens: Math.ceil((prompt.length + 8) / 4) } });
    expect(silent).toMatchObject({ failure: { code: "total-timeout" } });
  });

  test.each([
    { words: ["hi"], says: "✗ cox compare needs at least two CLIs.\n→ Name them with --provider claude,codex\n" },
    { words: ["-p", "rehearsal", "hi"], says: "✗ cox compare needs at least two CLIs.\n" },
    {
      words: ["-p", "claude,claude-code", "hi"],
      says: "✗ claude is named twice.\n→ Name each CLI once, or give each a model: claude/opus\n",
    },
    { words: ["-p", "rehearsal,nobody", "hi"], says: '✗ There is no provider or model "nobody" (in "rehearsal,nobody").\n' },
    {
      words: ["-p", "claude,codex", "--json", "--stream-json", "hi"],
      says: "✗ --json and --stream-json contradict each other.\n",
    },
  ])("$words is a usage error before a CLI is started", async ({ words, says }) => {
    const { stdout, stderr, exitCode } = await cox(["compare", ...words], { env: { COXSWAIN_PROVIDER: "" } });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr.startsWith(says)).toBe(true);
  });

  test("Ctrl-C ends all runs; exit code 130, and nothing is left running", async ({ expect }) => {
    const mark = `COX_TEST=${randomUUID()}`;
    const started = startCox(["compare", "-p", "rehearsal/silent,rehearsal/stubborn", "hi"], {
      env: { COX_TEST: mark.slice(9) },
    });
    await expect.poll(() => processesWith(mark, "COXSWAIN_RUN=").length).toBe(2);
    started.child.kill("SIGINT");
    const { exitCode, stdout } = await started.ended;
    expect(processesWith(mark, "COXSWAIN_RUN=")).toEqual([]);
    expect(stdout).toMatch(/^cli +result/);
    expect(exitCode).toBe(130);
    await expect.poll(() => processesWith(mark)).toEqual([]);
  });

  test("shows on a terminal who is still working, then answers and table within 80 columns", async () => {
    const words = ["compare", "-p", "rehearsal/crash,rehearsal/slow", `What is **bold**? ${"word ".repeat(20)}`];
    const { stdout, exitCode } = await startInTerminal(words).ended;
    expect(stdout).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] … rehearsal\/crash · … rehearsal\/slow · \d+ s/);
    expect(stdout).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] ✗ rehearsal\/crash · … rehearsal\/slow · \d+ s/);
    const lines = finalScreen(stdout)
      .replaceAll(/␛\[\d+m/g, "")
      .trimEnd()
      .split("\n");
    expect(lines[0]).toMatch(/^── rehearsal\/crash ─+$/);
    expect(lines[1]).toBe("✗ Rehearsal was ended by SIGKILL before it answered.");
    expect(lines[4]).toMatch(/^── rehearsal\/slow ─+$/);
    expect(lines[5]).toContain("You asked: “What is bold?");
    expect(lines.slice(-3).map((line) => line.split(/ {2,}/)[0])).toEqual(["cli", "rehearsal/crash", "rehearsal/slow"]);
    expect(lines.filter((line) => textWidth(line) > 80)).toEqual([]);
    expect(exitCode).toBe(0);
  });
});
