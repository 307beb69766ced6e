import { describe, expect, test } from "vitest";
import { AnswerView } from "../../src/cli/show/answer-view.ts";
import { failureLines } from "../../src/cli/terminal/failure-lines.ts";
import { colorsFor, indentedScreen, type Screen } from "../../src/cli/terminal/screen.ts";
import { toShortTime } from "../../src/cli/terminal/terminal-text.ts";
import type { Failure } from "../../src/index.ts";
import { createFailure, type EventBody } from "../../src/provider.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));

const CHAIN = { targets: [{ provider: "claude" }, { provider: "codex" }], attempts: 3 };

type Shown = { readonly out: string; readonly notes: string; readonly both: string };

function show(isTerminal: boolean, events: readonly (EventBody & { readonly parentToolId?: string })[]): Shown {
  let [out, notes, both] = ["", "", ""];
  const screen: Screen = {
    out: (text) => {
      out += text;
      both += text;
    },
    note: (text) => {
      notes += text;
      both += text;
    },
    isTerminal,
    outColors: plain,
    noteColors: plain,
  };
  const view = new AnswerView(screen, CHAIN);
  events.forEach((event, seq) => {
    view.show({ ...event, seq, atMs: 0 });
  });
  return { out, notes, both };
}

function say(messageId: string, text: string): EventBody {
  return { type: "text-delta", messageId, text };
}

const END: EventBody = { type: "run-end", finish: "stop" };
const failedBy = (failure: Failure): EventBody => ({ type: "run-end", finish: "error", failure });
const CLOCK = {
  type: "tool-end",
  id: "t",
  name: "Clock",
  input: { zone: "UTC" },
  output: "now",
  isError: false,
  durationMs: 120,
} as const;

describe("the text of an answer", () => {
  test.each([
    { pieces: ["a"], out: "a\n" },
    { pieces: ["a\n"], out: "a\n" },
    { pieces: ["a\n\n", "\n"], out: "a\n" },
    { pieces: ["a\n", "\nb"], out: "a\n\nb\n" },
    { pieces: ["\na"], out: "\na\n" },
    { pieces: [], out: "" },
  ])("$pieces ends with exactly one newline", ({ pieces, out }) => {
    expect(show(false, [...pieces.map((text) => say("m", text)), END]).out).toBe(out);
  });

  test("goes out piece by piece on a terminal", () => {
    const pieces: string[] = [];
    const screen = {
      out: (text: string) => void pieces.push(text),
      note: () => undefined,
      isTerminal: true,
      outColors: plain,
      noteColors: plain,
    };
    const view = new AnswerView(screen, CHAIN);
    for (const [seq, text] of ["one ", "two"].entries()) view.show({ type: "text-delta", messageId: "m", text, seq, atMs: 0 });
    expect(pieces).toEqual(["one ", "two"]);
  });

  test("separates messages by a blank line", () => {
    expect(show(false, [say("m", "first"), say("n", "second"), END]).out).toBe("first\n\nsecond\n");
  });

  test("omits the text of sub-agents", () => {
    expect(show(false, [{ ...say("m", "inner"), parentToolId: "t" }, say("n", "outer"), END]).out).toBe("outer\n");
  });

  const abandoned = [say("m", "half an"), { type: "text-reset", messageId: "m" }, say("m:1", "a whole answer"), END] as const;

  test("starts on a new line of the terminal after a reset, with a note", () => {
    const shown = show(true, abandoned);
    expect(shown.out).toBe("half an\na whole answer\n");
    expect(shown.notes).toMatch(/restarted its answer/);
  });

  test("does not print an abandoned message to a pipe, even after its text-end", () => {
    expect(show(false, abandoned)).toMatchObject({ out: "a whole answer\n", notes: "" });
    const [half, ...rest] = abandoned;
    expect(show(false, [half, { type: "text-end", messageId: "m" }, ...rest]).out).toBe("a whole answer\n");
  });

  test("needs no note when nothing of the message that was reset had been shown", () => {
    expect(show(false, [{ type: "text-reset", messageId: "m" }, say("n", "answer"), END]).notes).toBe("");
  });

  test("cannot control a terminal, but is unchanged in a pipe", () => {
    const text = "a\u001b[2Jb\u0007\tc\rd\u009b1m\u202eevil\u2069\u200f";
    const visible = "a\\u001b[2Jb\\u0007\tcd\\u009b1m\\u202eevil\\u2069\\u200f";
    expect(show(true, [say("m", text), END]).out).toBe(`${visible}\n`);
    expect(show(false, [say("m", text), END]).out).toBe(`${text}\n`);
  });
});

describe("the text of an answer that is shown as Markdown", () => {
  function showMarkdown(events: readonly EventBody[]): string {
    let both = "";
    const write = (text: string): void => {
      both += text;
    };
    const screen = { out: write, note: write, isTerminal: true, markdownWidth: () => 20, outColors: plain, noteColors: plain };
    const view = new AnswerView(screen, CHAIN);
    events.forEach((event, seq) => {
      view.show({ ...event, seq, atMs: 0 });
    });
    return both;
  }

  test("is complete before a note, a new message and the end, with one newline at the end", () => {
    expect(showMarkdown([say("m", "- one"), CLOCK, say("n", "two "), say("n", "three\n\n"), END])).toBe(
      "• one\n⚙ Clock(UTC) → 120 ms\ntwo three\n",
    );
    expect(showMarkdown([say("m", "one"), say("n", "two"), END])).toBe("one\n\ntwo\n");
    expect(showMarkdown([say("m", "one two three four five"), END])).toBe("one two three four\nfive\n");
  });

  test("cannot control the terminal", () => {
    const shown = showMarkdown([say("m", "**a\u001b[2Jb** `\u009b` [x](\u202e)"), END]);
    for (const character of "\u001b\u009b\u202e") expect(shown).not.toContain(character);
  });
});

describe("notes beside an answer", () => {
  test("are on separate lines when both go to a terminal", () => {
    expect(show(true, [say("m", "Looking."), CLOCK, say("n", "Noon."), END]).both).toBe(
      "Looking.\n⚙ Clock(UTC) → 120 ms\nNoon.\n",
    );
  });

  test("do not break the text where it goes to a pipe", () => {
    const shown = show(false, [say("m", "one "), { type: "warning", code: "w", message: "careful" }, say("m", "two"), END]);
    expect(shown).toMatchObject({ out: "one two\n", notes: "! careful\n" });
  });

  test.each([
    {
      event: { ...CLOCK, output: "<error>It is\nbroken.</error>", isError: true, durationMs: 1234 },
      line: "⚙ Clock(UTC) → ✗ 1.2 s: It is broken.\n",
    },
    { event: { ...CLOCK, synthetic: true }, line: "⚙ Clock(UTC) → no result\n" },
    { event: { ...CLOCK, parentToolId: "p" }, line: "  ⚙ Clock(UTC) → 120 ms\n" },
    { event: { ...CLOCK, input: "x".repeat(200) }, line: `⚙ Clock(${"x".repeat(79)}…) → 120 ms\n` },
    { event: { ...CLOCK, input: { zone: "UTC", at: [1] } }, line: "⚙ Clock(zone: UTC, at: [1]) → 120 ms\n" },
    { event: { ...CLOCK, input: { description: "d", command: "a\u200b\nb" } }, line: "⚙ Clock(a\\u200b\\nb) → 120 ms\n" },
    { event: { ...CLOCK, input: { changes: [{ path: "a" }, { path: "b" }] } }, line: "⚙ Clock(a, b) → 120 ms\n" },
    {
      event: { type: "permission-denied", id: "t", name: "Bash", input: { command: "rm" } },
      line: "⊘ Bash(rm) was not allowed.\n",
    },
    { event: { type: "file-change", path: "a.txt", kind: "update" }, line: "✎ update a.txt\n" },
    { event: { type: "upstream-retry", by: "cli", attempt: 2 }, line: "↻ The CLI retries (2)\n" },
    { event: { type: "usage", usage: { estimated: true, scope: "turn" } }, line: "" },
    { event: { type: "warning", code: "w", message: "two\nlines \u001b[31m" }, line: "! two lines \\u001b[31m\n" },
  ] as const)("say $line", ({ event, line }) => {
    expect(show(false, [event]).notes).toBe(line);
  });

  test("end with the failure in two lines, with the fix command", () => {
    const failed = failedBy(createFailure("not-logged-in", "Nobody is logged in.", { fixCommand: "claude auth login" }));
    const notes = "✗ Nobody is logged in.\n→ Log in to the CLI, then retry. Run: claude auth login\n";
    expect(show(false, [failed])).toMatchObject({ out: "", notes });
    expect(show(true, [say("m", "half"), failed])).toMatchObject({ out: "half\n", notes });
  });

  test("say that a pipe gets no text of a failed run, whole messages included", () => {
    const failed = failedBy(createFailure("crashed", "It crashed."));
    const { out, notes } = show(false, [say("m", "whole"), say("n", "half"), failed]);
    expect(out).toBe("");
    expect(notes).toMatch(/^! The text of the failed run was left out; .*partialText.*\n✗ It crashed\.\n→ .*\n$/);
  });

  test("print the reset time in local time, and the command for a stored quota", () => {
    const resetAt = "2026-01-01T00:00:00Z";
    const here = toShortTime(resetAt);
    const limited = createFailure("rate-limited", "Too much.", { resetAt });
    const spent = createFailure("quota-exhausted", "Spent.", { resetAt });
    expect(failureLines(limited, plain)).toBe(`✗ Too much.\n→ ${limited.hint} It resets at ${here}.\n`);
    expect(failureLines(spent, plain)).toBe(
      `✗ Spent.\n→ ${spent.hint} Coxswain does not use it before ${here}: see cox quota.\n`,
    );
    const stated = { ...spent, message: `Spent until ${resetAt}: so it says`, fixCommand: "cox quota clear claude" };
    expect(failureLines(stated, plain)).toBe(`✗ Spent until ${here}: so it says\n→ ${spent.hint} Run: cox quota clear claude\n`);
  });
});

describe("an indented screen", () => {
  test("wraps between words, across pieces, and leaves no blanks at the ends of lines", () => {
    let out = "";
    const outer: Screen = {
      out: (text) => {
        out += text;
      },
      note: () => undefined,
      isTerminal: true,
      outColors: plain,
      noteColors: plain,
    };
    const inner = indentedScreen(outer, "  ", 10);
    for (const piece of ["one two ", "three ", "four\n\nfi", "ve "]) inner.out(piece);
    inner.note("\nnote\n");
    expect(out).toBe("  one two\n  three four\n\n  five\n  note\n");
  });
});

describe("colours", () => {
  const terminal: NodeJS.WriteStream = Object.assign(Object.create(process.stdout), { isTTY: true });
  test("are for terminals, unless NO_COLOR is set", () => {
    const before = { noColor: process.env["NO_COLOR"], term: process.env["TERM"] };
    try {
      process.env["TERM"] = "xterm";
      delete process.env["NO_COLOR"];
      expect(colorsFor(terminal).red("x")).toBe("\u001b[31mx\u001b[39m");
      process.env["NO_COLOR"] = "1";
      expect(colorsFor(terminal).red("x")).toBe("x");
    } finally {
      restore("NO_COLOR", before.noColor);
      restore("TERM", before.term);
    }
  });
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
