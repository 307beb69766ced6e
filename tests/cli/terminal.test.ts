import { describe, expect, test } from "vitest";
import { textWidth } from "../../src/cli/terminal/text-width.ts";
import { ask } from "../support/cox/start-cox.ts";
import { finalScreen, startInTerminal } from "../support/cox/start-terminal.ts";

const SIGN = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] rehearsal · \d+ s/;
const REHEARSAL = ["ask", "--provider", "rehearsal"];
const PROMPT = "**bold** and `code`";

describe.concurrent("cox ask on a terminal", () => {
  test("shows a sign with the provider and the seconds while it waits, which leaves no trace", async () => {
    const { stdout } = await startInTerminal([...REHEARSAL, "--model", "silent", "--timeout", "1", "hi"]).ended;
    expect(stdout).toMatch(SIGN);
    expect(finalScreen(stdout)).toMatch(/^\S*✗\S* Rehearsal was not finished after 1 s\.\n\S*→\S* .*\n {2}\S.*\n$/);
  });

  test("shows the answer as wrapped Markdown, and one line about it", async () => {
    const { stdout, exitCode } = await startInTerminal([...REHEARSAL, PROMPT], { columns: 50 }).ended;
    const screen = finalScreen(stdout);
    expect(screen).toMatch(/^You asked: “␛\[1mbold␛\[22m and ␛\[36mcode␛\[39m”\. No model stands behind\nthis/);
    const lines = screen.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^␛\[2mrehearsal · friendly · \d+ in, \d+ out · \$0 · \d.*s␛\[22m$/);
    expect(lines.filter((line) => textWidth(line.replaceAll("␛", "\u001b")) > 50)).toEqual([]);
    expect(exitCode).toBe(0);
  });

  test.each([50, 80])("wraps errors and hints at words at %d columns", async (columns) => {
    const failing = startInTerminal([...REHEARSAL, "--model", "no-such-model", "hi"], { columns });
    const mistaken = startInTerminal(["ask", "--provider", "rehersal", "hi"], { columns });
    for (const { stdout } of [await failing.ended, await mistaken.ended]) {
      const lines = finalScreen(stdout)
        .replaceAll(/␛\[\d+m/g, "")
        .trimEnd()
        .split("\n");
      expect(lines.length).toBeGreaterThan(2);
      expect(lines.filter((line) => textWidth(line) > columns || !/^(?:✗|→| ) \S/.test(line))).toEqual([]);
    }
  });

  test("shows only the text as it is with --raw and --quiet", async () => {
    const { stdout } = await startInTerminal([...REHEARSAL, "--raw", "-q", PROMPT], { columns: 50 }).ended;
    expect(stdout).toMatch(/^You asked: “\*\*bold\*\* and `code`”\. No model stands behind .*an account\.\r\n$/);
  });

  test("shows no sign in CI and no colours with NO_COLOR, where the marks stay", async () => {
    const { stdout } = await startInTerminal([...REHEARSAL, PROMPT], { env: { CI: "1", NO_COLOR: "1" } }).ended;
    expect(stdout).toMatch(/^You asked: “\*\*bold\*\* and `code`”\. .*account\.\r\nrehearsal · friendly · .*s\r\n$/s);
    expect(stdout).not.toContain("\u001b");
  });

  test("is a plain terminal with TERM=dumb", async () => {
    const { stdout } = await startInTerminal([...REHEARSAL, PROMPT], { env: { TERM: "dumb" } }).ended;
    expect(stdout).toMatch(/^You asked: “\*\*bold\*\* and `code`”\. [^\r]*an account\.\r\nrehearsal · /);
    expect(stdout).not.toContain("\u001b");
  });

  test("is not what a pipe gets: the bytes of the answer, and nothing on stderr", async () => {
    const { stdout, stderr } = await ask([PROMPT]);
    expect(stdout).toMatch(/^You asked: “\*\*bold\*\* and `code`”\. No model stands behind .*an account\.\n$/);
    expect(stderr).toBe("");
  });
});

describe.concurrent("cox ask --agent on a terminal", () => {
  const args = [...REHEARSAL, "--model", "tool", "--agent", "What time is it?"];

  test("asks whether a tool may run, again if the answer is unclear, and follows a yes; earlier input answers nothing", async () => {
    const started = startInTerminal(args);
    started.write("n\n");
    await started.until((stdout) => stdout.includes("a = exactly this call in this run; then Enter: "));
    started.write("perhaps\n");
    await started.until((stdout) => stdout.split("a = exactly this call in this run; then Enter: ").length === 3);
    started.write("y\n");
    const { stdout, exitCode } = await started.ended;
    expect(stdout).toMatch(/Let me look at the clock\.\r\n\S+ May \S+ run\?\r\n {2}zone: UTC\r\n {2}y = yes, n = no/);
    expect(stdout).toMatch(/⚙ Clock\(UTC\) .*It is \d\d:\d\d UTC\./s);
    expect(exitCode).toBe(0);
  });

  test("follows a no, without advice for someone who has just refused; an unfinished line before it answers nothing", async () => {
    const started = startInTerminal(args);
    started.write("y");
    await started.until((stdout) => stdout.includes("a = exactly this call in this run; then Enter: "));
    started.write("\n");
    await started.until((stdout) => stdout.split("a = exactly this call in this run; then Enter: ").length === 3);
    started.write("n\n");
    const { stdout } = await started.ended;
    expect(stdout).toContain("I was not allowed to look");
    expect(stdout).not.toContain("--allow-tool");
  });

  test("drops an unfinished line also if the host was too busy to look at its input", async () => {
    const started = startInTerminal([], { script: "tests/cli/programs/busy-keyboard.ts" });
    started.write("begin\ny");
    await started.until((stdout) => stdout.includes("question"));
    started.write("n\n");
    expect((await started.ended).stdout).toContain("answer: n.");
  });

  test("takes Ctrl-C for an end of the run; --verbose has shown the command line that was started", async () => {
    const started = startInTerminal([...args, "--verbose"]);
    await started.until((stdout) => stdout.includes("a = exactly this call in this run; then Enter: "));
    started.write("\u0003");
    const { stdout, exitCode } = await started.ended;
    expect(stdout).toMatch(/# started: .* --permission-prompt-tool stdio /);
    expect(exitCode).toBe(130);
  });
});
