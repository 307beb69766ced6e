import { describe, expect, test } from "vitest";
import { AnswerView } from "../../src/cli/show/answer-view.ts";
import type { Chain } from "../../src/cli/show/policy-lines.ts";
import { colorsFor } from "../../src/cli/terminal/screen.ts";
import { toDuration, toShortTime } from "../../src/cli/terminal/terminal-text.ts";
import { createFailure, type EventBody } from "../../src/provider.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));

function notes(targets: Chain["targets"], events: readonly EventBody[]): readonly string[] {
  let said = "";
  const note = (text: string): void => {
    said += text;
  };
  const view = new AnswerView(
    { out: () => undefined, note, isTerminal: false, outColors: plain, noteColors: plain },
    { targets, attempts: 3 },
  );
  events.forEach((event, seq) => {
    view.show({ ...event, seq, atMs: 0 });
  });
  return said.split("\n").slice(0, -1);
}

const limited = createFailure("rate-limited", "Rate limited.");
const missing = createFailure("cli-missing", "Codex was not found.");
const retry = (attempt: number, delayMs: number): EventBody => ({
  type: "retry",
  by: "coxswain",
  attempt,
  delayMs,
  failure: limited,
});
const fallback: EventBody = { type: "fallback", from: "claude", to: "codex", failure: limited };

describe("the line of a policy event", () => {
  test("is printed for each retry, counted per CLI, and for each fallback", () => {
    const targets = [{ provider: "claude" }, { provider: "codex", model: "o" }];
    expect(notes(targets, [retry(1, 1200), retry(2, 90_000), fallback, retry(4, 300)])).toEqual([
      "· claude: Rate limited (rate-limited). Retry in 1.2 s, attempt 2 of 3.",
      "· claude: Rate limited (rate-limited). Retry in 1 min 30 s, attempt 3 of 3.",
      "· claude → codex: Rate limited (rate-limited).",
      "· codex: Rate limited (rate-limited). Retry in 300 ms, attempt 2 of 3.",
    ]);
  });

  test("names the models if a CLI is in the chain more than once", () => {
    const targets = [{ provider: "claude", model: "opus" }, { provider: "claude", model: "haiku" }, { provider: "codex" }];
    expect(notes(targets, [fallback, fallback])).toEqual([
      "· claude/opus → claude/haiku: Rate limited (rate-limited).",
      "· claude/haiku → codex: Rate limited (rate-limited).",
    ]);
  });

  test("names the CLI of the last failure, except for a cancelled run", () => {
    const targets = [{ provider: "claude" }, { provider: "codex" }];
    const end = (failure: typeof missing): EventBody => ({ type: "run-end", finish: "error", failure });
    expect(notes(targets, [fallback, end(missing)])[1]).toBe("✗ codex: Codex was not found.");
    expect(notes(targets, [end(missing)])[0]).toBe("✗ Codex was not found.");
    expect(notes(targets, [fallback, end(createFailure("interrupted", "Cancelled."))])[1]).toBe("✗ Cancelled.");
  });

  test("has only the first sentence of the message, on one line and without terminal codes", () => {
    const failure = createFailure("overloaded", "API Error: 529\nOverloaded \u001b[31mnow. Try again. And again.");
    expect(notes([{ provider: "claude" }], [{ type: "retry", by: "coxswain", attempt: 1, delayMs: 10, failure }])).toEqual([
      "· claude: API Error: 529 Overloaded \\u001b[31mnow (overloaded). Retry in 10 ms, attempt 2 of 3.",
    ]);
  });

  test("has the reset time in local time, once", () => {
    const resetAt = new Date(Date.now() + 3_600_000).toISOString();
    const [here, targets] = [toShortTime(resetAt), [{ provider: "claude" }, { provider: "codex" }]];
    const spent = (message: string): EventBody => {
      return { type: "fallback", from: "claude", to: "codex", failure: createFailure("quota-exhausted", message, { resetAt }) };
    };
    expect(notes(targets, [spent("You've hit your limit")])).toEqual([
      `· claude → codex: You've hit your limit (quota-exhausted until ${here}).`,
    ]);
    expect(notes(targets, [spent(`The quota is spent until ${resetAt}.`)])).toEqual([
      `· claude → codex: The quota is spent until ${here} (quota-exhausted).`,
    ]);
  });

  test.each([
    { position: 3, line: "· waiting in the queue (2 before this run)" },
    { position: 1, line: "· waiting in the queue (none before this run)" },
  ])("is a wait at position $position", ({ position, line }) => {
    expect(notes([{ provider: "claude" }], [{ type: "queue-wait", position }])).toEqual([line]);
  });
});

describe("a time for people", () => {
  const now = new Date(2026, 10, 16, 17, 5).getTime();

  test.each([
    { time: new Date(2026, 10, 16, 19, 4), said: "19:04" },
    { time: new Date(2026, 10, 16, 0, 0), said: "00:00" },
    { time: new Date(2026, 10, 17, 3, 0), said: "Tue 03:00" },
    { time: new Date(2026, 10, 15, 23, 59), said: "Sun 23:59" },
    { time: new Date(2026, 10, 24, 9, 30), said: "24 Nov 09:30" },
    { time: new Date(2027, 0, 2, 9, 30), said: "2 Jan 2027 09:30" },
  ])("is short and local: $said", ({ time, said }) => {
    expect(toShortTime(time.toISOString(), now)).toBe(said);
  });

  test("that is invalid stays as it is", () => {
    expect(toShortTime("soon")).toBe("soon");
  });

  test.each([
    [999, "999 ms"],
    [1200, "1.2 s"],
    [60_000, "1 min"],
    [250_000, "4 min 10 s"],
    [6_360_000, "1 h 46 min"],
    [7_200_000, "2 h"],
    [273_600_000, "3 d 4 h"],
  ])("of %d ms lasts %s", (milliseconds, said) => {
    expect(toDuration(milliseconds)).toBe(said);
  });
});
