import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import { assistant, init, result, resultBlock, text, toolResult, toolUse, user } from "./lines.ts";
import { eventsBetween, eventsOf, replayLines, replayTurn } from "./replay-lines.ts";

const answer = [assistant("m1", [text("A")]), result("A")];
const answerEvents = [
  { type: "text-delta", messageId: "m1", text: "A" },
  { type: "text-end", messageId: "m1" },
];

function ask(request: JsonObject): JsonObject {
  return { type: "control_request", request_id: "r1", request: { subtype: "can_use_tool", ...request } };
}

describe("a user line without a tool result gives nothing", () => {
  test.for<{ what: string; line: JsonObject }>([
    { what: "a replay", line: user([text("hello")], { isReplay: true, uuid: "u1" }) },
    { what: "a replay with a string", line: user("hello", { isReplay: true }) },
    { what: "a nudge", line: user([text("[structured-output-enforce] You must call the tool.")], { isSynthetic: true }) },
    { what: "a note of an interruption", line: user([text("[Request interrupted by user]")]) },
    { what: "a string", line: user("[Request interrupted by user for tool use]") },
    { what: "an image", line: user([{ type: "image", source: { type: "base64", media_type: "image/png", data: "" } }]) },
    { what: "a prompt for a sub-agent", line: user([text("Find it.")], { parent_tool_use_id: "t1" }) },
    { what: "no content", line: user([]) },
    { what: "a replayed result of a call of long ago", line: user([resultBlock("t0", "x")], { isReplay: true }) },
  ])("$what", ({ line }) => {
    expect(eventsBetween(replayTurn([line, init(), line, ...answer]))).toStrictEqual(answerEvents);
    expect(replayLines([init(), ...answer, line]).length).toBe(1);
  });
});

describe("a permission request for a tool", () => {
  test("names the request, the call, the tool and its input", () => {
    const call = assistant("m0", [toolUse("t1", { command: "touch a" })]);
    const question = ask({
      tool_name: "Bash",
      display_name: "Bash",
      input: { command: "touch a" },
      permission_suggestions: [],
      tool_use_id: "t1",
    });
    const run = replayTurn([init(), call, question, toolResult("t1", "ok"), ...answer]);
    expect(eventsBetween(run)).toStrictEqual([
      { type: "tool-start", id: "t1", name: "Bash" },
      { type: "tool-call", id: "t1", name: "Bash", input: { command: "touch a" }, executor: "cli" },
      { type: "permission-request", requestId: "r1", id: "t1", name: "Bash", input: { command: "touch a" } },
      { type: "tool-end", id: "t1", name: "Bash", input: { command: "touch a" }, output: "ok", isError: false },
      ...answerEvents,
    ]);
  });

  test("has no call if the CLI does not name it", () => {
    const run = replayTurn([init(), ask({ tool_name: "Write", input: {} }), ...answer]);
    expect(eventsOf(run, "permission-request")).toStrictEqual([
      { type: "permission-request", requestId: "r1", name: "Write", input: {} },
    ]);
  });

  test("is reported each time", () => {
    const run = replayTurn([
      init(),
      ask({ tool_name: "Write", input: { n: 1 } }),
      { ...ask({ tool_name: "Write", input: { n: 2 } }), request_id: "r2" },
      ...answer,
    ]);
    expect(eventsOf(run, "permission-request")).toStrictEqual([
      { type: "permission-request", requestId: "r1", name: "Write", input: { n: 1 } },
      { type: "permission-request", requestId: "r2", name: "Write", input: { n: 2 } },
    ]);
  });
});

describe("other lines of the control channel give nothing", () => {
  test.for<{ what: string; line: JsonObject }>([
    {
      what: "an answer",
      line: { type: "control_response", response: { subtype: "success", request_id: "i1", response: { commands: [] } } },
    },
    {
      what: "an error",
      line: { type: "control_response", response: { subtype: "error", request_id: "i1", error: "Not logged in" } },
    },
    {
      what: "a message to a server of the host",
      line: { type: "control_request", request_id: "c1", request: { subtype: "mcp_message", server_name: "host", message: {} } },
    },
    {
      what: "a hook",
      line: { type: "control_request", request_id: "c2", request: { subtype: "hook_callback", callback_id: "h" } },
    },
    { what: "a request of a new kind", line: { type: "control_request", request_id: "c3", request: { subtype: "brand_new" } } },
    { what: "a withdrawn request", line: { type: "control_cancel_request", request_id: "r1" } },
  ])("$what", ({ line }) => {
    expect(eventsBetween(replayTurn([line, init(), line, ...answer]))).toStrictEqual(answerEvents);
    expect(replayLines([init(), ...answer, line]).length).toBe(1);
  });
});
