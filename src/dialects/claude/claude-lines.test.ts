import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../spec/json.ts";
import { readTextLine } from "./claude-lines.ts";
import { claudeStream } from "./claude-stream.ts";

const recordings = new URL("../../../fixtures/claude/", import.meta.url);
const IDS = '"session_id":"5f0c9a52","parent_tool_use_id":null,"uuid":"7730a07b"';
const lineOf = (text: string, rest = IDS): string =>
  `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${text}}},${rest}}`;

function recordedLines(name: string): readonly string[] {
  return readFileSync(new URL(`${name}/stdout`, recordings), "utf8").split("\n");
}

describe("the recordings of Claude Code", () => {
  it("have the same events as with JSON.parse", () => {
    for (const name of readdirSync(recordings)) {
      const [fast, whole] = [claudeStream.start({}), claudeStream.start({})];
      for (const line of recordedLines(name).filter((each) => each.startsWith("{"))) {
        const native = JSON.parse(line) as JsonValue;
        expect(fast.step(readTextLine(line) ?? native), name).toStrictEqual(whole.step(native));
      }
    }
  });

  it.each(["partial-text", "v325-text"])("%s has text deltas in the form that is read", (name) => {
    const deltas = recordedLines(name).filter((line) => line.includes('"text_delta"'));
    expect(deltas.length).toBeGreaterThan(0);
    expect(deltas.filter((line) => readTextLine(line) === undefined)).toStrictEqual([]);
  });
});

describe("a text delta", () => {
  it.each(['""', '"a b"', String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\uD83D"`, '"é 😀 \u2028 \u007f"', String.raw`"\"}},\""`])(
    "%s has the text that JSON.parse gives",
    (text) => {
      const events = (native: JsonValue) => claudeStream.start({}).step(native).events;
      const line = lineOf(text);
      expect(events(readTextLine(line) ?? null)).toStrictEqual(events(JSON.parse(line) as JsonValue));
    },
  );

  it.each([
    ["an invalid escape", lineOf(String.raw`"\x41"`)],
    ["a short escape", lineOf(String.raw`"\u00e"`)],
    ["a control character", lineOf('"a\tb"')],
    ["an unescaped quote", lineOf('"a"b"')],
    ["a sub-agent", lineOf('"a"', '"parent_tool_use_id":"toolu_1"')],
    ["another field", lineOf('"a"', '"type":"result"')],
    ["a longer index", lineOf('"a"').replace('"index":0', '"index":00')],
    ["text after the line", `${lineOf('"a"')} `],
    ["a line over 4 kB", lineOf(`"${"a".repeat(4096)}"`)],
  ])("with %s is left to JSON.parse", (_, line) => {
    expect(readTextLine(line)).toBeUndefined();
  });
});
