import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import { assistant, init, result, text, toolResult, toolUse } from "./lines.ts";
import { eventsBetween, eventsOf, replayLines, replayOutput, replayTurn, theOnly } from "./replay-lines.ts";

const answer = [assistant("m1", [text("A")]), result("A")];
const answerEvents = [
  { type: "text-delta", messageId: "m1", text: "A" },
  { type: "text-end", messageId: "m1" },
];

describe("a JSON object of unknown type", () => {
  test.for<JsonObject>([
    { type: "brand_new", payload: { a: [1, null, "x"] }, session_id: "s" },
    { type: "rate_limit_event", rate_limit_info: { status: "allowed" } },
    { type: 7 },
    { type: null, subtype: "init" },
    { kind: "no type at all" },
    {},
  ])("is kept whole: %j", (line) => {
    expect(eventsBetween(replayTurn([init(), line, ...answer]))).toStrictEqual([
      { type: "native", value: line },
      ...answerEvents,
    ]);
  });
});

describe("a line that is no JSON object", () => {
  test.for([
    "Loading…",
    '{"type":"result","is_error":false,"result":"cut',
    "{'type':'result'}",
    "{type:result}",
    '{"a":1}{"b":2}',
    "[]",
    '[{"type":"result","is_error":false,"result":"no"}]',
    "42",
    "-1.5e3",
    '"text"',
    "true",
    "null",
    "undefined",
    "__proto__",
  ])("is kept as text: %j", (line) => {
    expect(eventsBetween(replayTurn([init(), line, ...answer]))).toStrictEqual([{ type: "native", text: line }, ...answerEvents]);
  });

  test.for([
    { line: "\u001b[31mred\u001b[0m", kept: "red" },
    { line: "\u001b[2K\u001b[1G⠋ thinking", kept: "⠋ thinking" },
    { line: "  indented and with a tail  ", kept: "indented and with a tail" },
  ])("is kept without escape sequences and indentation: $line", ({ line, kept }) => {
    expect(eventsBetween(replayTurn([init(), line, ...answer]))).toStrictEqual([{ type: "native", text: kept }, ...answerEvents]);
  });

  test("does not exist when only escape sequences come before the object", () => {
    expect(eventsBetween(replayTurn([`\u001b[?25h\u001b[0m${JSON.stringify(init())}`, ...answer]))).toStrictEqual(answerEvents);
  });

  test("does not affect a message that is being read around it", () => {
    const run = replayTurn(["banner", init(), "noise", assistant("m1", [text("A")]), "noise", result("A")]);
    expect(run.result.text).toBe("A");
    expect(eventsOf(run, "native")).toStrictEqual([
      { type: "native", text: "banner" },
      { type: "native", text: "noise" },
      { type: "native", text: "noise" },
    ]);
  });

  test("gives nothing when it is blank", () => {
    expect(eventsBetween(replayTurn(["", init(), "", ...answer, "", ""]))).toStrictEqual(answerEvents);
  });

  test("is kept when its bytes are not valid UTF-8", () => {
    const noise = Buffer.from([0xff, 0xfe, 0x80, 0x0a]);
    const output = Buffer.concat([noise, ...[init(), ...answer].map((line) => Buffer.from(`${JSON.stringify(line)}\n`))]);
    const run = theOnly(replayOutput("stream-json", output));
    expect(eventsOf(run, "native").length).toBe(1);
    expect(run.result.text).toBe("A");
  });
});

describe("line ends", () => {
  test("may be missing after the last line", () => {
    const output = [init(), ...answer].map((line) => JSON.stringify(line)).join("\n");
    expect(theOnly(replayOutput("stream-json", output)).result.text).toBe("A");
  });

  test("may be CRLF", () => {
    const output = [init(), ...answer].map((line) => `${JSON.stringify(line)}\r\n`).join("");
    const run = theOnly(replayOutput("stream-json", output));
    expect(eventsBetween(run)).toStrictEqual(answerEvents);
  });

  test("are not the separators U+2028, U+2029 and U+0085 within a text", () => {
    const odd = "a\u2028b\u2029c\u0085d";
    const run = replayTurn([init(), assistant("m1", [text(odd)]), result(odd)]);
    expect(eventsOf(run, "native")).toStrictEqual([]);
    expect(run.result.text).toBe(odd);
  });
});

describe("escape sequences", () => {
  test("in model text stay unchanged", () => {
    const coloured = "\u001b[31mred\u001b[0m\u0007 \u0000";
    const run = replayTurn([init(), assistant("m1", [text(coloured)]), result(coloured)]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "text-delta", messageId: "m1", text: coloured },
      { type: "text-end", messageId: "m1" },
    ]);
    expect(run.result.text).toBe(coloured);
  });
});

describe("unusual keys", () => {
  const odd: JsonObject = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"":2}',
  );

  test("of an unknown line are kept and change nothing else", () => {
    const run = replayTurn([init(), `{"type":"brand_new","__proto__":{"polluted":true},"hasOwnProperty":1}`, ...answer]);
    expect(JSON.stringify(eventsOf(run, "native"))).toBe(
      '[{"type":"native","value":{"type":"brand_new","__proto__":{"polluted":true},"hasOwnProperty":1}}]',
    );
    expect(Reflect.get({}, "polluted")).toBe(undefined);
  });

  test("of the input and the output of a tool are kept", () => {
    const blocks: JsonValue = [{ type: "image", source: odd }];
    const run = replayTurn([
      init(),
      assistant("m1", [toolUse("t1", odd)]),
      toolResult("t1", blocks),
      assistant("m2", [text("A")]),
      result("A"),
    ]);
    expect(JSON.stringify(run.result.toolCalls.map(({ input, output }) => [input, output]))).toBe(
      JSON.stringify([[odd, blocks]]),
    );
    expect(Reflect.get({}, "polluted")).toBe(undefined);
  });

  test.for(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "may be ids of messages and calls: %s",
    (id) => {
      const lines = [
        init(),
        assistant(id, [text("One.")]),
        assistant(id, [text("Two.")]),
        assistant(id, [toolUse(id, { n: 1 })]),
        toolResult(id, "x"),
      ];
      const run = replayTurn([...lines, assistant("m2", [toolUse("t2", {})], id), result("Two.")]);
      expect(eventsBetween(run)).toStrictEqual([
        { type: "text-delta", messageId: id, text: "One." },
        { type: "text-end", messageId: id },
        { type: "text-delta", messageId: `${id}:1`, text: "Two." },
        { type: "text-end", messageId: `${id}:1` },
        { type: "tool-start", id, name: "Bash" },
        { type: "tool-call", id, name: "Bash", input: { n: 1 }, executor: "cli" },
        { type: "tool-end", id, name: "Bash", input: { n: 1 }, output: "x", isError: false },
        { type: "tool-start", id: "t2", name: "Bash", parentToolId: id },
        { type: "tool-call", id: "t2", name: "Bash", input: {}, executor: "cli", parentToolId: id },
        { type: "tool-end", id: "t2", name: "Bash", input: {}, output: null, isError: false, synthetic: true, parentToolId: id },
      ]);
    },
  );
});

describe("JSON of a thousand levels", () => {
  const deep: JsonValue = Array.from({ length: 1000 }).reduce<JsonValue>(
    (inner, _, level) => (level % 2 === 0 ? [inner] : { inner }),
    "core",
  );

  test("is kept in an unknown line", () => {
    const run = replayTurn([init(), { type: "brand_new", deep }, ...answer]);
    expect(JSON.stringify(eventsOf(run, "native"))).toBe(
      JSON.stringify([{ type: "native", value: { type: "brand_new", deep } }]),
    );
  });

  test("is kept in the input, the output and the details of a tool and in the object", () => {
    const run = replayTurn([
      init(),
      assistant("m1", [toolUse("t1", deep)]),
      { ...toolResult("t1", [deep]), tool_use_result: deep },
      assistant("m2", [text("A")]),
      result("A", { structured_output: deep }),
    ]);
    const wanted = { type: "tool-end", id: "t1", name: "Bash", input: deep, output: [deep], isError: false, details: deep };
    expect(eventsOf(run, "tool-end").map((event) => JSON.stringify(Object.entries(event).toSorted()))).toStrictEqual([
      JSON.stringify(Object.entries(wanted).toSorted()),
    ]);
    expect(JSON.stringify(run.result.object)).toBe(JSON.stringify(deep));
  });

  test("has no effect where a field of a line is expected to be simple", () => {
    const [run] = replayLines([
      init({ session_id: deep, tools: deep, mcp_servers: deep }),
      assistant("m1", deep),
      result("A", { usage: deep, modelUsage: deep }),
    ]);
    expect(run?.result.text).toBe("A");
  });
});
