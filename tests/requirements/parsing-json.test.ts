import { describe, expect, test } from "vitest";
import { readOutput } from "./own-cli.ts";

const textOf = (value: unknown): string => readOutput("json", JSON.stringify(value)).text;

describe("the fields of one JSON object", () => {
  test("R78 the content of one JSON object is the answer", () => {
    expect(readOutput("json", '{"content":"Hello! How can I help?"}\n')).toMatchObject({
      text: "Hello! How can I help?",
      finish: "stop",
    });
  });

  const ALL = {
    content: "1",
    text: "2",
    response: "3",
    message: "4",
    output: "5",
    result: "6",
    choices: [{ message: { content: "8" } }],
  };

  test("R79 a string content comes before everything else", () => {
    expect(textOf(ALL)).toBe("1");
    expect(textOf({ ...ALL, content: "" })).toBe("");
  });

  test("R80 a string text comes second", () => {
    expect(textOf({ ...ALL, content: undefined })).toBe("2");
    expect(textOf({ ...ALL, content: [{ type: "text", text: "blocks" }] })).toBe("2");
    expect(textOf({ ...ALL, content: 7 })).toBe("2");
  });

  test("R81 then a string response, message, output or result, in this order", () => {
    const { content: _content, text: _text, ...third } = ALL;
    expect(textOf(third)).toBe("3");
    expect(textOf({ ...third, response: undefined })).toBe("4");
    expect(textOf({ ...third, response: null, message: { content: "nested" } })).toBe("5");
    expect(textOf({ result: "6", choices: ALL.choices })).toBe("6");
  });

  test("R82 then the joined text blocks of a content list", () => {
    const blocks = [
      { type: "text", text: "Hel" },
      { type: "tool_use", id: "t1", name: "Bash", input: { text: "no" } },
      { type: "thinking", thinking: "hm", text: "no" },
      { type: "text", text: "lo" },
    ];
    expect(textOf({ content: blocks })).toBe("Hello");
    expect(textOf({ content: blocks, choices: ALL.choices, message: { content: "nested" } })).toBe("Hello");
    expect(textOf({ content: [], choices: ALL.choices })).toBe("8");
  });

  test("R83 then choices[0].message.content", () => {
    const choices = [{ message: { role: "assistant", content: "first" } }, { message: { content: "second" } }];
    expect(textOf({ choices, message: { content: "nested" } })).toBe("first");
    expect(textOf({ choices: [{ message: { content: [{ type: "text", text: "in parts" }] } }] })).toBe("in parts");
  });

  test("R84 then a nested message.content, then message.text", () => {
    expect(textOf({ message: { content: "nested", text: "other" } })).toBe("nested");
    expect(textOf({ message: { content: [{ type: "text", text: "in blocks" }], text: "other" } })).toBe("in blocks");
    expect(textOf({ message: { content: 7, text: "other" } })).toBe("other");
  });

  test("R85 a direct output wins over a nested message.content", () => {
    expect(textOf({ message: { content: "nested" }, output: "direct" })).toBe("direct");
  });

  test("R82 R84 the answer of a list of objects is their texts, in order", () => {
    expect(
      textOf([
        { type: "text", text: "Hel" },
        { type: "text", text: "lo" },
      ]),
    ).toBe("Hello");
    expect(
      textOf([
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
      ]),
    ).toBe("Hello");
    expect(textOf([{ content: "one " }, { text: "two" }])).toBe("one two");
  });
});

describe("terminal codes around JSON", () => {
  test("R125 JSON wrapped in colour codes parses", () => {
    expect(readOutput("json", '\u001b[0m{"content":"Hello"}\u001b[0m').text).toBe("Hello");
  });

  test("R124 R125 codes inside a decoded string stay", () => {
    expect(readOutput("json", '\u001b[32m{"content":"\\u001b[31mred"}\u001b[0m').text).toBe("\u001b[31mred");
    expect(readOutput("stream-json", '\u001b[32m{"type":"content","content":"\\u001b[31mred"}\u001b[0m\n').text).toBe(
      "\u001b[31mred",
    );
  });

  test("R124 a banner before a document is no part of the answer", () => {
    expect(readOutput("json", 'Welcome!\n[beta] loading\n{\n  "content": "Hello"\n}\n')).toMatchObject({
      text: "Hello",
      warnings: [],
    });
  });
});

describe("text", () => {
  test("R77 the content is all of stdout, trimmed", () => {
    expect(readOutput("text", "\n  Hello,\n  world.  \n\n").text).toBe("Hello,\n  world.");
    expect(readOutput("text", "").text).toBe("");
    expect(readOutput("text", '\u001b[1m{\u001b[0m "content": 1 }\n').text).toBe('{ "content": 1 }');
  });

  test("R124 the answer of a CLI that colours has no colours", () => {
    expect(
      readOutput("text", "\u001b[2K\u001b[1G\u001b[32mgreen\u001b[39m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\n").text,
    ).toBe("green link");
  });
});

describe("usage", () => {
  test("R126 input_tokens and output_tokens are counted, what was cached included", () => {
    const usage = { input_tokens: 12, output_tokens: 34 };
    expect(readOutput("json", JSON.stringify({ content: "x", usage })).usage).toEqual({
      inputTokens: 12,
      outputTokens: 34,
      totalTokens: 46,
      estimated: false,
      scope: "turn",
    });
    const cached = { ...usage, cache_read_input_tokens: 100, cache_creation_input_tokens: 10 };
    expect(readOutput("json", JSON.stringify({ content: "x", usage: cached })).usage).toMatchObject({
      inputTokens: 122,
      totalTokens: 156,
      cacheReadTokens: 100,
    });
  });

  test("R127 R128 prompt_tokens and completion_tokens are counted, and the total is their sum", () => {
    const line = { content: "x", usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 999 } };
    expect(readOutput("json", JSON.stringify(line)).usage).toMatchObject({
      inputTokens: 5,
      outputTokens: 6,
      totalTokens: 11,
      estimated: false,
    });
    expect(readOutput("stream-json", `${JSON.stringify(line)}\n`).usage).toMatchObject({
      inputTokens: 5,
      outputTokens: 6,
      totalTokens: 11,
    });
  });

  test.for(["text", "json", "stream-json"] as const)("R129 where %s reports nothing, the estimate is marked as one", (format) => {
    const stdout = format === "text" ? "12345" : `${JSON.stringify({ content: "12345" })}\n`;
    expect(readOutput(format, stdout).usage).toEqual({ outputTokens: 2, estimated: true, scope: "turn" });
  });

  test("R129 a count that is missing is unknown, not zero", () => {
    expect(readOutput("json", JSON.stringify({ content: "x", usage: { output_tokens: 3 } })).usage).toEqual({
      outputTokens: 3,
      estimated: false,
      scope: "turn",
    });
  });
});
