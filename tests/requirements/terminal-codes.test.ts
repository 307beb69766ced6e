import { expect, it } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";

const RESULT = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "kept \u001b[31mred\u001b[0m" });

/** Terminal codes around a line: colours, cursor, modes, titles, links, device strings, in 7-bit and 8-bit form. */
const CODES: Readonly<Record<string, string>> = {
  colour: "\u001b[32m",
  "erase and column": "\u001b[2K\u001b[1G",
  "cursor shape": "\u001b[0 q",
  "colour with colons": "\u001b[38:2:1:2:3m",
  "private mode": "\u001b[?25l\u001b[>1u",
  "C1 colour": "\u009b32m",
  "title ended by BEL": "\u001b]0;my title\u0007",
  "title ended by ST": "\u001b]0;my title\u001b\\",
  link: "\u001b]8;;http://example.com\u0007",
  "C1 OSC": "\u009d0;title\u009c",
  "device string": "\u001bP1$r0m\u001b\\",
  "application string": "\u001b_note\u001b\\",
  "privacy message": "\u001b^note\u001b\\",
  reset: "\u001bc",
};

it.each(Object.entries(CODES))("R124 R139 %s around a line is removed, inside a decoded string it stays", (_name, code) => {
  const stdout = Buffer.from(`${code}${RESULT}${code}\n`);
  const [run = []] = replayRecording(claude, { format: "stream-json", stdout, exitCode: 0 });
  expect(collect(run)).toMatchObject({ text: "kept \u001b[31mred\u001b[0m", finish: "stop" });
  expect(run.filter((event) => event.type === "native")).toEqual([]);
});

it.each(Object.entries(CODES))("R124 R139 %s in plain text is removed", (_name, code) => {
  const stdout = Buffer.from(`${code}Hello${code}\n`);
  const [run = []] = replayRecording(claude, { format: "text", stdout, exitCode: 0 });
  expect(collect(run).text).toBe("Hello");
});

it("R181 R182 streamed pieces add up to the input, which is complete at the end of the block", () => {
  const event = (value: object) => ({ type: "stream_event", event: value });
  const delta = (partial_json: string) =>
    event({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } });
  const lines = [
    event({ type: "message_start", message: { id: "m1" } }),
    event({ type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name: "Bash", input: {} } }),
    delta('{"comm'),
    delta('and":"ls"}'),
    event({ type: "content_block_stop", index: 1 }),
    { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a.txt" }] } },
    { type: "result", subtype: "success", is_error: false, result: "One file." },
  ];
  const stdout = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const [run = []] = replayRecording(claude, { format: "stream-json", stdout, exitCode: 0 });
  expect(run.map((each) => each.type).filter((type) => type.startsWith("tool"))).toEqual([
    "tool-start",
    "tool-input-delta",
    "tool-input-delta",
    "tool-call",
    "tool-end",
  ]);
  expect(collect(run).toolCalls).toMatchObject([{ id: "t1", name: "Bash", input: { command: "ls" }, output: "a.txt" }]);
});
