import { expect, it } from "vitest";
import { geminiJson } from "../../replay/formats/gemini.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { geminiStream } from "./stream.ts";

type Read = { readonly events: readonly EventDraft[]; readonly turnEnd: TurnEnd | undefined };

function read(natives: readonly JsonValue[], dialect = geminiStream): Read {
  const turn = dialect.start({});
  const steps: WireStep[] = natives.map((native) => turn.step(native));
  return { events: steps.flatMap(({ events }) => events), turnEnd: steps.at(-1)?.turnEnd };
}

const say = (content: string): JsonObject => ({ type: "message", role: "assistant", content, delta: true });
const use = (tool_id: string): JsonObject => ({ type: "tool_use", tool_name: "ls", tool_id, parameters: {} });
const gave = (tool_id: string, output: string): JsonObject => ({ type: "tool_result", tool_id, status: "success", output });
const stats = { total_tokens: 12, input_tokens: 10, output_tokens: 2, cached: 0 };
const result = (fields: JsonObject = {}): JsonObject => ({ type: "result", status: "success", stats, ...fields });

it("a call that a policy denies is a denial, and so is one of an own tool that an agent does not have", () => {
  const fails = (name: string, type: string): readonly JsonObject[] => [
    { type: "tool_use", tool_name: name, tool_id: "a", parameters: { command: "x" } },
    { type: "tool_result", tool_id: "a", status: "error", output: "No.", error: { type, message: "No." } },
  ];
  const denials = (lines: readonly JsonObject[], context: TurnContext): number => {
    const turn = geminiStream.start(context);
    return lines.flatMap((line) => turn.step(line).events).filter(({ type }) => type === "permission-denied").length;
  };
  const agent = { permissionMode: "default" } as const;
  expect(denials(fails("run_shell_command", "policy_violation"), agent)).toBe(1);
  expect(denials(fails("run_shell_command", "tool_not_registered"), agent)).toBe(1);
  expect(denials(fails("no_such_tool", "tool_not_registered"), agent)).toBe(0);
  expect(denials(fails("run_shell_command", "tool_not_registered"), {})).toBe(0);
});

it("a tool id that is used again is another call, and its result belongs to the last call", () => {
  const { events } = read([use("a"), gave("a", "1"), use("a"), gave("a", "2"), gave("a", "3"), gave("b", "4")]);
  expect(events.filter(({ type }) => type !== "tool-call")).toEqual([
    { type: "tool-start", id: "a", name: "ls" },
    { type: "tool-end", id: "a", output: "1", isError: false },
    { type: "tool-start", id: "a:1", name: "ls" },
    { type: "tool-end", id: "a:1", output: "2", isError: false },
  ]);
});

it("text before a tool call is a separate message, and only the text after the last call is the answer", () => {
  const { events, turnEnd } = read([say("First"), use("a"), gave("a", ""), say("Sec"), say("ond"), result()]);
  expect(events.filter(({ type }) => type.startsWith("text"))).toEqual([
    { type: "text-delta", messageId: "message-1", text: "First" },
    { type: "text-end", messageId: "message-1" },
    { type: "text-delta", messageId: "message-2", text: "Sec" },
    { type: "text-delta", messageId: "message-2", text: "ond" },
    { type: "text-end", messageId: "message-2" },
  ]);
  expect(turnEnd).toEqual({ finish: "stop", answerId: "message-2" });
  expect(read([say("First"), use("a"), gave("a", ""), result()]).turnEnd).toEqual({ finish: "stop" });
});

it("a loop that Gemini reports as a success is a failure, and its text is not complete", () => {
  const message = "Loop detected, stopping execution";
  const { events, turnEnd } = read([say("a a a"), { type: "error", severity: "warning", message }, result()]);
  expect(events).toContainEqual({ type: "warning", code: "cli-warning", message });
  expect(events.map(({ type }) => type)).not.toContain("text-end");
  expect(turnEnd).toEqual({ finish: "length", fault: { message } });
});

it("an earlier error makes a success a failure, and the last error is the fault", () => {
  const errors = ["one", "two"].map((message) => ({ type: "error", severity: "error", message }));
  expect(read([say("x"), ...errors, result()]).turnEnd).toEqual({ finish: "error", fault: { message: "two" } });
});

it("a success without text, tools and tokens is a prompt that was sent to no model", () => {
  const nothing = { total_tokens: 0, input_tokens: 0, output_tokens: 0 };
  expect(read([result({ stats: nothing })]).turnEnd).toMatchObject({ finish: "error", fault: { kind: "no-request" } });
  expect(read([result()]).turnEnd).toEqual({ finish: "stop" });
  expect(read([use("a"), result({ stats: nothing })]).turnEnd).toEqual({ finish: "stop" });
});

it.each([
  ['[API Error: {"error":{"code":401,"message":"x"}}]', { status: 401 }],
  ['[API Error: [{"error":{"code":503,"message":"x"}}]]', { status: 503 }],
])("the fault of %j has the status %j at once", (message, status) => {
  const line = result({ status: "error", error: { type: "unknown", message } });
  expect(read([line]).turnEnd?.fault).toEqual({ message, event: line, ...status });
});

it.each([
  ["[API Error: quota. Please retry in 2.1s.\nSuggested retry after 2s.]", { retryAfterMs: 2100 }],
  ["[API Error: Your quota will reset after 4h28m20s.]", { retryAfterMs: 16_100_000 }],
  ["[API Error: terminated]", {}],
])("the fault of %j has no status, so the turn ends with the process and its exit code", (message, status) => {
  const line = result({ status: "error", error: { type: "unknown", message } });
  const turn = geminiStream.start({});
  expect(turn.step(line).turnEnd).toBeUndefined();
  expect(turn.finish({ exitCode: 173 }).turnEnd?.fault).toEqual({ message, event: line, ...status });
});

it("if counts do not add up, the usage has the reported output and no reasoning", () => {
  const { events } = read([say("x"), result({ stats: { total_tokens: 5, input_tokens: 10, output_tokens: 2 } })]);
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } });
  expect(events.at(-1)).not.toHaveProperty("usage.reasoningTokens");
});

it("an output that ends within a line is cut off only when the exit code is 0", () => {
  const finish = (natives: readonly JsonValue[], exitCode: number): unknown => {
    const turn = geminiStream.start({});
    for (const native of natives) turn.step(native);
    return turn.finish({ exitCode }).turnEnd?.fault?.kind;
  };
  expect(finish([say("x"), '{"type":"mess'], 0)).toBe("stdout-cut");
  expect(finish([say("x"), '{"type":"mess'], 1)).toBeUndefined();
  expect(finish(['{"type":"mess', say("x")], 0)).toBeUndefined();
  expect(finish([say("x"), "a banner"], 0)).toBeUndefined();
});

it("a document with an error fails with its type and code", () => {
  const error = { type: "FatalAuthenticationError", message: "no", code: 401 };
  expect(read([{ session_id: "s", error }], geminiJson)).toEqual({
    events: [{ type: "session-start", sessionId: "s" }],
    turnEnd: { finish: "error", fault: { message: "no", kind: "FatalAuthenticationError", status: 401, event: { error } } },
  });
  expect(
    read([{ error: { type: "FatalInputError", message: "no", code: 42 } }], geminiJson).turnEnd?.fault?.status,
  ).toBeUndefined();
});

it("a document with a warning of the loop detector is cut off", () => {
  const message = "Loop detected, stopping execution";
  const { events, turnEnd } = read([{ response: "a a", warnings: [message, 7], stats: {} }], geminiJson);
  expect(events.map(({ type }) => type)).toEqual(["warning", "text-delta"]);
  expect(turnEnd).toEqual({ finish: "length", fault: { message } });
});
