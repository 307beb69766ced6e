import { repeated, SHAPE_CALL, type Shape } from "./shape.ts";

const END = "\n\ntool_calls";

/** Texts whose blocks, thoughts and calls divide each other, so that a reader is led to read the same text again. */
export const STRUCTURE_SHAPES: readonly Shape[] = [
  repeated("list-thoughts", "- <think></think>\n", "", END),
  repeated("quote-thoughts", "> <think></think>\n", "", END),
  repeated("tag-thoughts", "<div> <think></think>\n", "", END),
  repeated("heading-thoughts", "<think></think># a\n", "", END),
  repeated("line-thoughts", "<think></think>", "", END),
  repeated("closing-tags", "</div>\n", "", END),
  repeated("stray-closings", "\r</think>", "", END),
  repeated("marks-before-text", "- ", "", `x${END}`),
  repeated("quoted-marks", "* ", "> ", `x${END}`),
  repeated("objects-on-one-line", "{}", "", END),
  repeated("long-tool-name", "a", '{"tool_calls":[{"name":"', '"}]}'),
  repeated("repaired-string", "a", '{"tool_calls":[{"name":"get_weather","args":{"city":"', '", }}]}'),
  repeated("quoted-words", "`')True ", '{"tool_calls":[{"name":"get_weather","args":{"city":"', '" x}}]}'),
  repeated(
    "numbers-in-a-string",
    "12345678901234567890123,",
    '{"tool_calls":[{"name":"get_weather","args":"{\\"a\\":[',
    '1]}"}]}',
  ),
  repeated("symbols-in-a-tag", "\u2603", `<tool_call>${SHAPE_CALL}`),
  repeated("two-long-fences", "~", "~~~", `\n${"~".repeat(1000)}${END}`),
];
