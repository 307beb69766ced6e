import { expect, it } from "vitest";
import { ClaudeHostTools } from "./claude-host-tools.ts";

const sentBy = (step: { readonly send?: readonly object[] }): object[] =>
  (step.send ?? []).map((send) => JSON.parse("text" in send ? String(send.text) : "{}"));

it.each([true, false])("the tools are marked as reading ones only if calls may run at the same time: %s", (runsAtOnce) => {
  const tools = new ClaudeHostTools([{ name: "look" }], runsAtOnce);
  expect(sentBy(tools.read("r1", { id: 1, method: "tools/list" }))).toMatchObject([
    {
      response: {
        request_id: "r1",
        response: { mcp_response: { id: 1, result: { tools: [{ name: "look", annotations: { readOnlyHint: runsAtOnce } }] } } },
      },
    },
  ]);
});

it("the calls of a message are reported once, and those of the next message again", () => {
  const tools = new ClaudeHostTools([{ name: "look" }], true);
  expect(tools.reportCalls()).toBe(false);
  tools.begin("a");
  expect([tools.reportCalls(), tools.reportCalls()]).toEqual([true, false]);
  tools.end("a");
  tools.begin("b");
  expect(tools.reportCalls()).toBe(true);
});

it("a result that is given before the CLI asks is sent when it asks, and only once", () => {
  const tools = new ClaudeHostTools([{ name: "look" }], true);
  const ask = { id: 7, method: "tools/call", params: { name: "look", arguments: {}, _meta: { "claudecode/toolUseId": "a" } } };
  expect(tools.answer("a", { text: "seen", isError: false })).toEqual([]);
  expect(sentBy(tools.read("r1", ask))).toMatchObject([
    { response: { response: { mcp_response: { id: 7, result: { content: [{ text: "seen" }], isError: false } } } } },
  ]);
  expect(tools.read("r2", ask)).toMatchObject({ asks: [{ kind: "tool", requestId: "a", call: { name: "look" } }] });
});
