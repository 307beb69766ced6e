import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { escapeXml, messagesToXml } from "../../src/adapters/langchain/index.ts";
import { OtherMessage } from "./adapter-messages.ts";

/** A conversation with every kind of message. */
const transcript: readonly BaseMessage[] = [
  new SystemMessage("Be brief."),
  new HumanMessage("Weather in Oslo?"),
  new AIMessage({ content: "I look.", tool_calls: [{ name: "get_weather", args: { city: "Oslo" }, id: "call_1" }] }),
  new ToolMessage({ content: "Rain", tool_call_id: "call_1" }),
  new AIMessage("It rains."),
];

const call = (name: string, id?: string) => ({ name, args: {}, ...(id !== undefined && { id }) });

describe("the thread", () => {
  test("R13 R14 R15 R16 R18 R19 a transcript gives this thread and no other", () => {
    expect(messagesToXml([...transcript])).toBe(
      [
        "<thread>",
        '  <event type="system" id="0" iteration="0">Be brief.</event>',
        '  <event type="human" id="1" iteration="0">Weather in Oslo?</event>',
        '  <event type="ai" id="2" iteration="0">I look.</event>',
        '  <event type="tool_input" id="3" iteration="0" name="get_weather" call_id="call_1">{&quot;city&quot;:&quot;Oslo&quot;}</event>',
        '  <event type="tool_output" id="4" iteration="0" name="get_weather" call_id="call_1" status="success">Rain</event>',
        '  <event type="ai" id="5" iteration="0">It rains.</event>',
        "</thread>",
      ].join("\n"),
    );
  });

  test("R13 every event has a line of its own, two spaces in, between the two lines of the thread", () => {
    const lines = messagesToXml([...transcript]).split("\n");
    expect([lines[0], lines.at(-1)]).toEqual(["<thread>", "</thread>"]);
    expect(lines.slice(1, -1)).toHaveLength(6);
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^ {2}<event [^<>]*>[^<>]*<\/event>$/);
  });

  test("R14 a message of another type is an event of that type, which is escaped", () => {
    const xml = messagesToXml([new OtherMessage("critic", "Hm."), new OtherMessage('a"b<c>', "Hm.")]);
    expect(typesIn(xml)).toEqual(["critic", "a&quot;b&lt;c&gt;"]);
  });

  test("R15 ids count events, not messages, from 0 on", () => {
    const many = new AIMessage({ content: "", tool_calls: [call("a", "1"), call("b", "2"), call("c", "3")] });
    const xml = messagesToXml([new HumanMessage("Go"), many, new HumanMessage("Stop")]);
    expect(valuesOf(xml, "id")).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("R16 every event has iteration 0", () => {
    expect(messagesToXml([...transcript]).match(/ iteration="0"/g)).toHaveLength(6);
  });

  test("R12 content that is no string is written as JSON", () => {
    const content = [
      { type: "text", text: "Look:" },
      { type: "measurement", value: 7 },
    ];
    expect(messagesToXml([new HumanMessage({ content })])).toContain(`>${escapeXml(JSON.stringify(content))}</event>`);
  });
});

describe("tool calls and results in the thread", () => {
  test("R17 an AI message without text gives its calls and no ai event", () => {
    expect(typesIn(messagesToXml([new AIMessage({ content: "", tool_calls: [call("a", "1"), call("b", "2")] })]))).toEqual([
      "tool_input",
      "tool_input",
    ]);
  });

  test("R18 a call carries its name, its id, and its arguments as JSON; without an id the id is empty", () => {
    const args = { path: "a b", deep: { list: [1, null, true] } };
    const xml = messagesToXml([new AIMessage({ content: "", tool_calls: [{ ...call("read"), args }, call("stop", "call_7")] })]);
    expect(valuesOf(xml, "name")).toEqual(["read", "stop"]);
    expect(valuesOf(xml, "call_id")).toEqual(["", "call_7"]);
    expect(xml).toContain(`>${escapeXml(JSON.stringify(args))}</event>`);
    expect(xml).toContain(">{}</event>");
  });

  test("R19 results find their names by call id, in whatever order they come", () => {
    const xml = messagesToXml([
      new AIMessage({ content: "", tool_calls: [call("first", "1"), call("second", "2")] }),
      new ToolMessage({ content: "two", tool_call_id: "2" }),
      new ToolMessage({ content: "one", tool_call_id: "1" }),
    ]);
    expect(valuesOf(xml, "name")).toEqual(["first", "second", "second", "first"]);
    expect(valuesOf(xml, "call_id")).toEqual(["1", "2", "2", "1"]);
  });

  test("R19 a result has the name of the call before it, even if a later call has the same id", () => {
    const xml = messagesToXml([
      new AIMessage({ content: "", tool_calls: [call("first", "call_0")] }),
      new ToolMessage({ content: "one", tool_call_id: "call_0" }),
      new AIMessage({ content: "", tool_calls: [call("second", "call_0")] }),
      new ToolMessage({ content: "two", tool_call_id: "call_0" }),
    ]);
    expect(valuesOf(xml, "name")).toEqual(["first", "first", "second", "second"]);
  });

  test("R19 a result states whether the tool failed", () => {
    const results = (["error", "success", undefined] as const).map(
      (status) => new ToolMessage({ content: "?", tool_call_id: "1", ...(status !== undefined && { status }) }),
    );
    expect(valuesOf(messagesToXml(results), "status")).toEqual(["error", "success", "success"]);
  });

  test("R20 a result without an earlier call is named unknown, also when the call comes later", () => {
    const xml = messagesToXml([
      new ToolMessage({ content: "?", tool_call_id: "call_9" }),
      new AIMessage({ content: "", tool_calls: [call("late", "call_9")] }),
    ]);
    expect(valuesOf(xml, "name")).toEqual(["unknown", "late"]);
  });
});

describe("escaping", () => {
  test("R21 escapeXml escapes the five characters of XML, each as often as it is there", () => {
    expect(escapeXml(`a & b < c > d " e ' f && <<`)).toBe("a &amp; b &lt; c &gt; d &quot; e &apos; f &amp;&amp; &lt;&lt;");
    expect(escapeXml("&amp;")).toBe("&amp;amp;");
    expect(escapeXml("plain, ünïcödé 漢字 👋")).toBe("plain, ünïcödé 漢字 👋");
    expect(escapeXml("")).toBe("");
  });

  test("R21 bodies and attribute values are escaped by it", () => {
    const hostile = `& < > " '`;
    const xml = messagesToXml([
      new SystemMessage(hostile),
      new HumanMessage(hostile),
      new AIMessage({ content: hostile, tool_calls: [{ name: hostile, args: { [hostile]: hostile }, id: hostile }] }),
      new ToolMessage({ content: hostile, tool_call_id: hostile }),
      new OtherMessage(hostile, hostile),
    ]);
    const escaped = escapeXml(hostile);
    expect(xml.split(`>${escaped}</event>`)).toHaveLength(6);
    expect(xml).toContain(`>${escapeXml(JSON.stringify({ [hostile]: hostile }))}</event>`);
    expect(valuesOf(xml, "name")).toEqual([escaped, escaped]);
    expect(valuesOf(xml, "call_id")).toEqual([escaped, escaped]);
    expect(typesIn(xml).at(-1)).toBe(escaped);
  });
});

function typesIn(xml: string): readonly string[] {
  return valuesOf(xml, "type");
}

/** The values of an attribute as they are written, event by event. */
function valuesOf(xml: string, attribute: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<event [^<>]*?(?<= )${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
}
