import { expect, it } from "vitest";
import { Tail } from "./output.ts";

it("a new tail is empty", () => {
  expect(new Tail(8).text()).toBe("");
  expect(tailOf(8, "", "")).toBe("");
});

it("a text up to the limit is stored completely", () => {
  expect(tailOf(8, "short")).toBe("short");
  expect(tailOf(8, "12345678")).toBe("12345678");
  expect(tailOf(8, "1234", "5678")).toBe("12345678");
});

it("of a longer text the last bytes are stored", () => {
  expect(tailOf(8, "123456789")).toBe("23456789");
  expect(tailOf(8, "1234", "5678", "9")).toBe("23456789");
});

it("the end of a long stream is stored, for any chunk boundaries", () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join("");
  for (const size of [1, 7, 100, 128, 129, 4_096, text.length]) {
    const tail = new Tail(100);
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) tail.push(bytes.subarray(from, from + size));
    expect(tail.text(), `chunks of ${size}`).toBe(text.slice(-100));
  }
});

it("text() can be repeated", () => {
  const tail = new Tail(4);
  tail.push(Buffer.from("abcd"));
  expect([tail.text(), tail.text()]).toEqual(["abcd", "abcd"]);
  tail.push(Buffer.from("ef"));
  expect(tail.text()).toBe("cdef");
});

it("a character that was split between chunks is complete", () => {
  const bytes = Buffer.from("é👍");
  const tail = new Tail(100);
  for (const byte of bytes) tail.push(Uint8Array.of(byte));
  expect(tail.text()).toBe("é👍");
});

it("the limit is in bytes, not in characters", () => {
  expect(tailOf(4, "ééé")).toBe("éé");
});

function tailOf(limit: number, ...chunks: readonly string[]): string {
  const tail = new Tail(limit);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
}
