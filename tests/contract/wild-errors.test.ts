import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { classifyError } from "../../src/index.ts";
import { answerWith, type Beside, failWith, succeedBeside, type WildText } from "./wild-runs.ts";

const folder = new URL("wild-errors/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
const START = "2026-11-16T12:00:00.000Z";
/** The share of texts, and of stated times, that must be read right in each file. */
const RIGHT = 0.95;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("the corpus of wild errors is not empty", () => {
  expect(files.length).toBeGreaterThan(0);
});

describe.for(files)("%s", (file) => {
  const texts: readonly WildText[] = readFileSync(new URL(file, folder), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const errors = texts.filter(({ category }) => category !== undefined);
  const timed = errors.filter(({ resetAt, retryAfterMs }) => resetAt !== undefined || retryAfterMs !== undefined);

  describe.for([
    ["classifyError", classify],
    ["a run", (wild: WildText): Judged | undefined => run(wild)],
  ] as const)("by %s", ([, read]) => {
    test("categories", () => expectRight(errors, (wild) => misreadCategory(wild, read(wild))));
    test("stated times", () => expectRight(timed, (wild) => misreadTime(wild, read(wild))));
  });

  test.for([
    { kind: "rate_limit", status: 429 },
    { kind: "invalid_request", status: 400 },
  ])("Claude Code's kind $kind does not outweigh the words of a spent quota", (beside) => {
    const spent = errors.filter(({ cli, category }) => cli === "claude" && String(category) === "quota");
    expect(spent.length).toBeGreaterThan(0);
    for (const wild of spent) {
      expect(misreadCategory(wild, run(wild, beside)) ?? misreadTime(wild, run(wild, beside))).toBeUndefined();
    }
  });

  // test.for shortens a title, and a shortened text does not find its line.
  for (const wild of texts.filter(({ category }) => category === undefined)) {
    test(`${wild.id} is innocent: ${JSON.stringify(wild.text.slice(0, 80))}`, () => judgeInnocent(wild));
  }
});

type Judged = { readonly category: string; readonly retryAfterMs?: number | null; readonly resetAt?: string };

function expectRight(texts: readonly WildText[], misread: (wild: WildText) => string | undefined): void {
  expect(texts.length).toBeGreaterThan(0);
  const wrong = texts.flatMap((wild) => misread(wild) ?? []);
  expect(1 - wrong.length / texts.length, wrong.join("\n")).toBeGreaterThanOrEqual(RIGHT);
}

function classify({ text, now = START, tz = "UTC" }: WildText): Judged {
  return classifyError(text, { now: new Date(now), timeZone: tz });
}

function run(wild: WildText, beside?: Beside): Judged | undefined {
  setClock(wild);
  return failWith(wild, beside);
}

function misreadCategory({ id, text, category = [] }: WildText, judged: Judged | undefined): string | undefined {
  const read = judged?.category ?? "success";
  return category.includes(read) ? undefined : `${id} is ${read}, not ${category.join(" or ")}: ${JSON.stringify(text)}`;
}

function misreadTime(
  { id, text, resetAt, retryAfterMs, tolMs = 1000 }: WildText,
  judged: Judged | undefined,
): string | undefined {
  const distances = [
    ...(resetAt === undefined ? [] : [Date.parse(judged?.resetAt ?? "") - Date.parse(resetAt)]),
    ...(retryAfterMs === undefined ? [] : [(judged?.retryAfterMs ?? Number.NaN) - retryAfterMs]),
  ];
  if (distances.every((distance) => Math.abs(distance) <= tolMs)) return undefined;
  return `${id} states ${resetAt ?? retryAfterMs}, not ${judged?.resetAt ?? judged?.retryAfterMs}: ${JSON.stringify(text)}`;
}

function judgeInnocent({ text, where, expect: expected = "", forbid = [] }: WildText): void {
  if (where === "answer+tool") expect(answerWith(text)).toBeUndefined();
  else if (where === "stderr-noise") {
    expect(succeedBeside(text)).toBeUndefined();
    expect(forbid).not.toContain(failWith({ id: "", cli: "claude", text, where: "stderr" })?.category);
  } else {
    const { category, resetAt = "none", retryAfterMs } = classifyError(text, { now: new Date(START), timeZone: "UTC" });
    const [, field = "", not, values = ""] = /^(\w+)(!)?=(.*)$/.exec(expected) ?? [];
    const read = String({ category, resetAt, retryAfterMs }[field]);
    expect(values.split("|").includes(read), `${text}: ${read}`).toBe(not === undefined);
  }
}

/** A run uses the clock and the time zone of the host. */
function setClock({ now = START, tz = "UTC" }: WildText): void {
  vi.restoreAllMocks();
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
  const resolve = Intl.DateTimeFormat.prototype.resolvedOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockImplementation(function (this: Intl.DateTimeFormat) {
    return { ...resolve.call(this), timeZone: tz };
  });
}
