import {
  fill,
  nested,
  numbered,
  repeated,
  SHAPE_CALL,
  SHAPE_ENVELOPE,
  SHAPE_MARK,
  SHAPE_OPENING,
  SHAPE_TOOL,
  type Shape,
} from "./shape.ts";

const FENCE = "```";
const ARGS = `${SHAPE_OPENING}{"name":"${SHAPE_TOOL}","args":`;
const OPEN_STRING = `${ARGS}{"city":"`;

/** Answers that look like JSON or like calls. */
export const JSON_SHAPES: readonly Shape[] = [
  repeated("braces", "{"),
  repeated("braces-in-text", "a { ", "tool_calls "),
  repeated("brace-lines", "{\n", "tool_calls\n\n"),
  repeated("brace-pairs", "{} ", "tool_calls "),
  repeated("open-arrays", "[", '{"tool_calls":'),
  repeated("open-envelopes", '{"tool_calls":['),
  repeated("open-envelope-lines", '{"tool_calls":[\n'),
  repeated("open-envelopes-in-text", 'Sure: {"tool_calls":[ '),
  nested("nested-objects", '{"a":', "1", "}"),
  nested("nested-arrays", "[", "1", "]"),
  { name: "nested-arguments", make: (bytes) => `${ARGS}${nested("", '{"a":', "1", "}").make(bytes)}}]}` },
  { name: "nested-text", make: nestedText },
  repeated("long-key", "k", `${ARGS}{"`, '":1}}]}'),
  numbered("many-keys", (number) => `"k${number}":1,`, `${ARGS}{`, '"city":"Oslo"}}]}'),
  repeated("same-keys", '"city":"Oslo",', `${ARGS}{`, '"city":"Oslo"}}]}'),
  repeated("prototype-keys", '"__proto__":{"a":1},', `${ARGS}{`, '"city":"Oslo"}}]}'),
  repeated("long-argument", "Oslo ", OPEN_STRING, '"}}]}'),
  repeated("open-argument", "Oslo ", OPEN_STRING),
  repeated("open-argument-lines", "Oslo\n\n", OPEN_STRING),
  repeated("escaped-quotes", '\\"', OPEN_STRING, '"}}]}'),
  repeated("escaped-backslashes", "\\\\", OPEN_STRING),
  repeated("unicode-escapes", "\\u007b", OPEN_STRING, '"}}]}'),
  repeated("broken-escapes", "\\u", OPEN_STRING, '"}}]}'),
  repeated("escaped-key", '{"\\u0074ool_calls":'),
  repeated("quotes", '"'),
  repeated("quotes-in-envelope", '"', SHAPE_OPENING),
  repeated("single-quotes", "'a',", "{'tool_calls':["),
  repeated("curly-quotes", "\u201ca\u201d,", "{\u201ctool_calls\u201d:["),
  repeated("block-comments", "/*", "tool_calls {"),
  repeated("comments-in-json", "/* a */", SHAPE_OPENING),
  repeated("line-comments", "// a\n", '{"tool_calls":[\n'),
  repeated("comment-starts", "/", '{"tool_calls":['),
  repeated("ellipses", "...,", SHAPE_OPENING),
  repeated("commas", ",", SHAPE_OPENING),
  repeated("colons", ":", '{"tool_calls"'),
  repeated("numbers", "1", SHAPE_OPENING),
  repeated("signs", "-", '{"tool_calls":['),
  repeated("unquoted-words", "a b ", '{"tool_calls":[{name:'),
  repeated("missing-quotes", '"a: 1, b": ', '{"tool_calls":[{'),
  repeated("missing-commas", '{"a":1} ', SHAPE_OPENING),
  repeated("concatenations", '"a" + ', '{"tool_calls":[{"name":'),
  repeated("function-calls", "f(", '{"tool_calls":'),
  repeated("regular-expressions", "/a/g ", '{"tool_calls":'),
  repeated("python-values", "True, None, ", SHAPE_OPENING),
  repeated("closing-braces", "}", SHAPE_ENVELOPE),
  repeated("calls", `${SHAPE_CALL},`, SHAPE_OPENING, `${SHAPE_CALL}]}`),
  numbered("numbered-calls", (number) => `${SHAPE_CALL.slice(0, -1)},"id":"c${number}"},`, SHAPE_OPENING, `${SHAPE_CALL}]}`),
  repeated("unmarked-calls", `${SHAPE_CALL},`, '{"tool_calls":[', `${SHAPE_CALL}]}`),
  repeated("unmarked-envelopes", `{"tool_calls":[${SHAPE_CALL}]}\n`),
  repeated("marks", `{"mark":"${SHAPE_MARK}"`),
  repeated("mark-pairs", `"mark":"${SHAPE_MARK}",`, "{", `"tool_calls":[${SHAPE_CALL}]}`),
  repeated("tiny-calls", "{},", SHAPE_OPENING, "{}]}"),
  repeated("unknown-calls", '{"name":"no_such_tool","args":{}},', SHAPE_OPENING, `${SHAPE_CALL}]}`),
  repeated("wrong-calls", `{"name":"${SHAPE_TOOL}","args":{"city":1}},`, SHAPE_OPENING, `${SHAPE_CALL}]}`),
  repeated("repaired-calls", `{name:'${SHAPE_TOOL}',args:{city:'Oslo'}},`, `{mark:'${SHAPE_MARK}',tool_calls:[`, "]}"),
  repeated("fenced-envelopes", `${FENCE}json\n${SHAPE_ENVELOPE}\n${FENCE}\n\n`),
  repeated("envelope-lines", `${SHAPE_ENVELOPE}\n`),
  repeated("envelopes-in-text", `Sure: ${SHAPE_ENVELOPE} `),
  repeated("envelopes-on-one-line", SHAPE_ENVELOPE),
  repeated("empty-envelopes", '{"tool_calls":[]}\n'),
  repeated("other-objects", '{"a":{"tool_calls":[]}}\n'),
  repeated("bare-calls", `${SHAPE_CALL}\n`),
  repeated("openai-calls", `{"type":"function","function":{"name":"${SHAPE_TOOL}","arguments":"{}"}},`, "[", "]"),
  repeated("call-tags", `<tool_call>${SHAPE_CALL}</tool_call>\n`),
  repeated("open-call-tags", `<tool_call>\n<invoke name="${SHAPE_TOOL}">\n`),
  repeated("words-before-json", "json ", FENCE, SHAPE_ENVELOPE),
];

/** An envelope that holds an envelope as a string, eight times; each level doubles the backslashes. */
function nestedText(bytes: number): string {
  const levels = 8;
  let text = `${OPEN_STRING}${fill('\\"', bytes / 2 ** (levels - 1))}"}}]}`;
  for (let level = 1; level < levels; level += 1) text = `{"tool_calls":${JSON.stringify(text)}}`;
  return text;
}
