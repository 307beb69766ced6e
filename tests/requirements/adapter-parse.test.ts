import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseToolCalls } from "../../src/adapters/langchain/index.ts";
import { callBlock } from "../support/clis/call-blocks.ts";

const weather = { name: "get_weather", args: { city: "Oslo", days: [1, 2], now: true, unit: null }, id: "call_abc" };
const search = { name: "search", args: { query: "a ``` b" }, id: "call_def" };

describe("parseToolCalls", () => {
  test("R23 parseToolCalls reads the calls of a fenced block of JSON", () => {
    expect(parseToolCalls(callBlock(weather))).toEqual([weather]);
    expect(parseToolCalls(`\`\`\`json\n${JSON.stringify({ tool_calls: [weather] }, null, 2)}\n\`\`\``)).toEqual([weather]);
  });

  test.for([
    { name: "an empty text", text: "" },
    { name: "plain text", text: "It rains in Oslo." },
    { name: "a fenced block of another language", text: "```ts\nconst tool_calls = [];\n```" },
    { name: "a text that names tool_calls", text: 'Answer with "tool_calls" and an array.' },
    { name: "a block that is no JSON", text: "```json\nthis is not JSON at all\n```" },
    { name: "a block that is cut inside a call", text: '```json\n{"tool_calls":[{"name":"delete_file","args":{"path":"/ho\n```' },
    { name: "JSON without tool_calls", text: '```json\n{"name":"get_weather","args":{}}\n```' },
    { name: "tool_calls that is a string", text: '```json\n{"tool_calls":"get_weather"}\n```' },
    { name: "tool_calls that is null", text: '```json\n{"tool_calls":null}\n```' },
    { name: "an empty list", text: '```json\n{"tool_calls":[]}\n```' },
    { name: "a JSON array", text: "```json\n[1, 2, 3]\n```" },
  ])("R24 parseToolCalls finds no call in $name", ({ text }) => {
    expect(parseToolCalls(text)).toEqual([]);
  });

  test("R25 missing arguments are an empty object, a missing id is call_ and the place in the list", () => {
    expect(parseToolCalls(callBlock({ name: "now" }))).toEqual([{ name: "now", args: {}, id: "call_0" }]);
    expect(parseToolCalls(callBlock(weather, { name: "now" }, { name: "add", args: { a: 1 } }))).toEqual([
      weather,
      { name: "now", args: {}, id: "call_1" },
      { name: "add", args: { a: 1 }, id: "call_2" },
    ]);
  });

  test("R26 all calls of a block come in their order, with text before and after", () => {
    expect(parseToolCalls(`I look both up.\n\n${callBlock(weather, search)}\n\nOne moment.`)).toEqual([weather, search]);
    expect(parseToolCalls(`\r\n${callBlock(search, weather).replaceAll("\n", "\r\n")}\r\n`)).toEqual([search, weather]);
  });

  test("R24 R25 parseToolCalls throws at no text and gives whole calls only", () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        "```json\n",
        "```",
        "~~~\n",
        "\n",
        '{"tool_calls":',
        "[",
        "{",
        "}",
        "]",
        '"name"',
        ":",
        ",",
        "null",
        '"args"',
      ),
      fc.constantFrom(
        '{"name":"a","args":{}}',
        '"',
        "'",
        "\\",
        "True",
        "// x",
        "function",
        '"id":7',
        "__proto__",
        "tool_calls",
        "> ",
      ),
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const text = fc.array(fragment, { maxLength: 20 }).map((fragments) => fragments.join(""));
    const fenced = text.map((body) => `\`\`\`json\n${body}\n\`\`\``);
    const envelope = fc.jsonValue().map((value) => `\`\`\`json\n{"tool_calls":${JSON.stringify(value)}}\n\`\`\``);
    const calls = fc
      .array(fc.record({ name: fc.jsonValue(), args: fc.jsonValue(), id: fc.jsonValue() }, { requiredKeys: [] }), {
        maxLength: 4,
      })
      .map((list) => `\`\`\`json\n${JSON.stringify({ tool_calls: list })}\n\`\`\``);
    fc.assert(
      fc.property(fc.oneof(text, fenced, envelope, calls), (answer) => {
        for (const call of parseToolCalls(answer)) {
          expect(Object.keys(call).sort()).toEqual(["args", "id", "name"]);
          expect([typeof call.name, typeof call.id]).toEqual(["string", "string"]);
          expect(Object.prototype.toString.call(call.args)).toBe("[object Object]");
        }
      }),
      { numRuns: 500 },
    );
  });
});
