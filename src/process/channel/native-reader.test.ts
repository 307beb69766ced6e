import { expect, it } from "vitest";
import { DEEPEST_JSON, type JsonValue } from "../../spec/json.ts";
import type { OutputFormat } from "../../spec/wire/wire.ts";
import { createNativeReader, type DroppedLine } from "./native-reader.ts";

it("each line that holds a JSON object becomes that object", () => {
  expect(readLines('{"a":1}\n{"b":{"c":[1,null,"x"]}}\n')).toEqual([{ a: 1 }, { b: { c: [1, null, "x"] } }]);
});

it("a last line without a newline counts", () => {
  expect(readLines('{"a":1}\n{"b":2}')).toEqual([{ a: 1 }, { b: 2 }]);
});

it("lines may end with CR LF and may be indented", () => {
  expect(readLines('{"a":1}\r\n\t {"b":2} \r\n')).toEqual([{ a: 1 }, { b: 2 }]);
});

it("blank lines give nothing", () => {
  expect(readLines("")).toEqual([]);
  expect(readLines('\n\r\n   \n\t\n\uFEFF\n\u001b[0m\n{"a":1}\n\n')).toEqual([{ a: 1 }]);
});

it("a byte order mark before a line is removed", () => {
  expect(readLines('\uFEFF{"a":1}\n\uFEFFhello\n')).toEqual([{ a: 1 }, "hello"]);
});

it("terminal colours around an object or a text are removed", () => {
  expect(readLines('\u001b[2m{"a":1}\u001b[0m\n\u001b[31mred\u001b[39m alert\n')).toEqual([{ a: 1 }, "red alert"]);
});

it("the content of a JSON string is not changed, with control sequences and separators", () => {
  const text = "\u2028two\u2029 \u009b31m \u001b[31mred\uFEFF\u0085";
  expect(readLines(`${JSON.stringify({ text })}\n`)).toEqual([{ text }]);
});

it.each([
  ["a banner", "Welcome to the program!"],
  ["a broken object", '{"a":1'],
  ["an object with something after it", '{"a":1} done'],
  ["a list", "[1,2]"],
  ["a number", "42"],
  ["a quoted string", '"text"'],
  ["the word null", "null"],
])("%s is passed on as text", (_name, line) => {
  expect(readLines(`${line}\n{"after":1}\n`)).toEqual([line, { after: 1 }]);
});

it("a long line that is no object is cut to 65,536 characters", () => {
  expect(readLines(`${"x".repeat(65_536)}\n${"y".repeat(65_537)}\n`)).toEqual(["x".repeat(65_536), "y".repeat(65_536)]);
  expect(read("json", [Buffer.from("z".repeat(100_000))]).values).toEqual(["z".repeat(65_536)]);
});

it("a long object is never shortened", () => {
  const value = { text: "é".repeat(200_000) };
  expect(readLines(`${JSON.stringify(value)}\n`)).toEqual([value]);
});

it("invalid UTF-8 becomes replacement characters and changes nothing else", () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x41, 0xf0, 0x9f, 10]), Buffer.from('{"a":"é"}\n')]);
  expect(read("stream-json", [bytes]).values).toEqual(["\uFFFD\uFFFDA\uFFFD", { a: "é" }]);
});

it.each<OutputFormat>(["stream-json", "json", "text"])("%s gives the same however the bytes are split", (format) => {
  const lines = ['\uFEFF{"text":"Grüße 👩‍👩‍👧 你好"}', "", "\u001b[1mñoise\u001b[0m", '{"b":2}\r', "\u2028", "ende é"];
  const bytes = Buffer.from(lines.join("\n"));
  const whole = read(format, [bytes]);
  expect(whole.values.length).toBeGreaterThan(0);
  for (let at = 0; at <= bytes.length; at += 1) expect(read(format, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  expect(
    read(
      format,
      Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
    ),
  ).toEqual(whole);
});

it("a view into a larger buffer is read at its own offset", () => {
  const large = new Uint8Array(Buffer.from('junk{"a":1}\njunk'));
  expect(read("stream-json", [large.subarray(4, 12)]).values).toEqual([{ a: 1 }]);
  expect(read("json", [large.subarray(4, 12)]).values).toEqual([{ a: 1 }]);
});

it("a JSON document may span lines, and may be an object or a list", () => {
  expect(read("json", [Buffer.from('\uFEFF\n{\r\n  "a": 1\r\n}\n')]).values).toEqual([{ a: 1 }]);
  expect(read("json", [Buffer.from('[{"a":1},{"b":2}]')]).values).toEqual([[{ a: 1 }, { b: 2 }]]);
});

it("a document that is neither object nor list is passed on as text", () => {
  expect(read("json", [Buffer.from("  Error: no such flag\n")]).values).toEqual(["Error: no such flag"]);
  expect(read("json", [Buffer.from("42\n")]).values).toEqual(["42"]);
});

it("plain text is one value with its blanks and line ends, without colours and byte order mark", () => {
  expect(read("text", [Buffer.from("\uFEFF  one\r\n\r\n\u001b[32mtwo\u001b[0m \n")]).values).toEqual(["  one\r\n\r\ntwo \n"]);
});

it("plain text that looks like JSON stays text, and is never shortened", () => {
  expect(read("text", [Buffer.from('{"a":1}')]).values).toEqual(['{"a":1}']);
  expect(read("text", [Buffer.from("t".repeat(200_000))]).values).toEqual(["t".repeat(200_000)]);
});

it.each<OutputFormat>(["json", "text"])("%s that is blank or empty gives nothing", (format) => {
  expect(read(format, [])).toEqual({ values: [], dropped: [] });
  expect(read(format, [Buffer.from(" \r\n\t\n")])).toEqual({ values: [], dropped: [] });
});

it.each<OutputFormat>(["json", "text"])("%s is passed on at the end and not before", (format) => {
  const values: JsonValue[] = [];
  const reader = createNativeReader(format, { lineBytes: 100, onValue: (value) => values.push(value), onDropped: () => {} });
  reader.push(Buffer.from('{"a":1}\n'));
  expect(values).toEqual([]);
  reader.end();
  expect(values).toHaveLength(1);
});

it("a line is passed on as soon as its newline arrives", () => {
  const values: JsonValue[] = [];
  const reader = createNativeReader("stream-json", {
    lineBytes: 100,
    onValue: (value) => values.push(value),
    onDropped: () => {},
  });
  reader.push(Buffer.from('{"a":1}'));
  expect(values).toEqual([]);
  reader.push(Buffer.from('\n{"b"'));
  expect(values).toEqual([{ a: 1 }]);
  reader.end();
  expect(values).toEqual([{ a: 1 }, '{"b"']);
});

it("a line that the wire reads itself is not parsed; any other line is", () => {
  const values: JsonValue[] = [];
  const reader = createNativeReader("stream-json", {
    lineBytes: 100,
    onValue: (value) => values.push(value),
    onDropped: () => {},
    readLine: (line) => (line === '{"a":1}' ? { known: true } : undefined),
  });
  for (const chunk of ['{"a"', ':1}\n{"b":2}\n{"a":1}\n', '{"a":1}']) reader.push(Buffer.from(chunk));
  reader.end();
  expect(values).toEqual([{ known: true }, { b: 2 }, { known: true }, { known: true }]);
});

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}"é"${"}".repeat(levels)}`;

it("a line with too many levels is dropped and reported, and the other lines are read", () => {
  const deep = [nested(DEEPEST_JSON + 1), ` \u001b[0m${nested(20_000)}\r`];
  const lines = ['{"b":1}', ...deep, nested(DEEPEST_JSON), ""];
  expect(read("stream-json", [Buffer.from(lines.join("\n"))])).toEqual({
    values: [{ b: 1 }, JSON.parse(nested(DEEPEST_JSON))],
    dropped: deep.map((line) => ({ bytes: Buffer.byteLength(line), limit: "depth" })),
  });
});

it.each([nested(DEEPEST_JSON + 1), ` \u001b[0m${nested(20_000)}\n`, `\n[${nested(20_000)}]\n`])(
  "a document with too many levels is dropped and reported (%#)",
  (text) => {
    const dropped = [{ bytes: Buffer.byteLength(text), limit: "depth" }];
    expect(read("json", [Buffer.from(text)])).toEqual({ values: [], dropped });
  },
);

it("text with many brackets that is no JSON stays text", () => {
  const noise = `a {${"[{".repeat(1_000)}`;
  expect(readLines(`${noise}\n`)).toEqual([noise]);
  expect(read("json", [Buffer.from(noise)])).toEqual({ values: [noise], dropped: [] });
});

type Outcome = { readonly values: readonly JsonValue[]; readonly dropped: readonly DroppedLine[] };

function readLines(text: string): readonly JsonValue[] {
  const { values, dropped } = read("stream-json", [Buffer.from(text)]);
  expect(dropped).toEqual([]);
  return values;
}

function read(format: OutputFormat, chunks: readonly Uint8Array[]): Outcome {
  const values: JsonValue[] = [];
  const dropped: DroppedLine[] = [];
  const reader = createNativeReader(format, {
    lineBytes: 1_000_000,
    onValue: (value) => values.push(value),
    onDropped: (line) => dropped.push(line),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { values, dropped };
}
