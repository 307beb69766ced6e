import { expect, it } from "vitest";
import { StderrKeeper } from "./output.ts";

it("a short stderr is only in the tail", () => {
  expect(keep("")).toEqual({ stderrTail: "" });
  expect(keep("one\n", "two\n")).toEqual({ stderrTail: "one\ntwo\n" });
  expect(keep("x".repeat(8_192))).toEqual({ stderrTail: "x".repeat(8_192) });
});

it("of a long stderr the beginning and the end are stored, for any chunk boundaries", () => {
  const text = `error line\n${"help ".repeat(4_000)}\nlast word\n`;
  const whole = keep(text);
  expect(whole.stderrHead).toBe(text.slice(0, 4_096));
  expect(whole.stderrTail).toBe(text.slice(-8_192));
  for (const size of [1, 7, 4_095, 4_096, 4_097, 10_000]) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(keep(...pieces), `pieces of ${size}`).toEqual(whole);
  }
});

it("read() can be repeated, and later chunks do not change the head", () => {
  const kept = new StderrKeeper();
  kept.push(Buffer.from("first "));
  expect(kept.read()).toEqual({ stderrTail: "first " });
  kept.push(Buffer.from("y".repeat(20_000)));
  expect(kept.read().stderrHead).toBe(`first ${"y".repeat(4_090)}`);
});

function keep(...pieces: readonly string[]): ReturnType<StderrKeeper["read"]> {
  const kept = new StderrKeeper();
  for (const piece of pieces) kept.push(Buffer.from(piece));
  return kept.read();
}
