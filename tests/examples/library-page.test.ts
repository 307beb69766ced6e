import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openConsumerProject } from "./consumer-project.ts";
import { readBlocks } from "./read-blocks.ts";

const PROGRAMS = readBlocks("docs/library.md", "ts");

/** The output of the program below each heading when `claude` is the rehearsal CLI. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  Requests: /^You asked: “Why is the sky blue\?”\. .* without an account\.\nstop, \d+ tokens\n$/,
  "Reading a run": /^true run-start run-end\ntrue\n$/,
  Messages: /^stop stop 4\n$/,
  Images: /^You asked: “What does this chart show\?”\. .*\noption-unsupported\n$/,
  "Structured output": /^\{ name: 'name', born: 0 \}\n$/,
  Sessions: /^true true\n$/,
  Permissions:
    /^allow Clock \{"zone":"UTC"\}\nIt is \d\d:\d\d UTC\. 1 0\ndeny Clock \{"zone":"UTC"\}\nI was not allowed to look, .* 1 1\n$/,
  "Timeouts and cancellation": /^first-event-timeout\ncancelled interrupted true\n$/,
  "Outcome and failures":
    /^authentication not-logged-in false false\nquota-exhausted: Credit balance is too low\ntrue rehearsal → claude\n$/,
  Budgets: /^One true\nTwo budget-spent\n$/,
  "MCP servers": /^stop \[\]\n$/,
  "Own providers": /^HELLO\n$/,
};

/** Separates the outputs of the programs. */
const BORDER = "\u0000";

it("every program of docs/library.md runs unchanged and prints what is expected", { timeout: 120_000 }, async () => {
  const { folder, env, write } = openConsumerProject();
  write(
    "chart.png",
    Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64"),
  );
  const names = PROGRAMS.map(({ code }, index) => write(`program-${index}.ts`, code));
  // One process for all programs: its start costs more than most of them.
  const imports = names.map((_, index) => `await import("./program-${index}.ts");\nprocess.stdout.write("\\0");\n`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [write("all.ts", imports.join(""))], {
    cwd: folder,
    env,
  });
  expect(stderr).toBe("");
  const printed = stdout.split(BORDER).slice(0, -1);
  const outputs = Object.fromEntries(PROGRAMS.map(({ heading }, index) => [heading, printed[index]]));
  expect(outputs).toEqual(
    Object.fromEntries(Object.entries(PRINTED).map(([heading, text]) => [heading, expect.stringMatching(text)])),
  );
});
