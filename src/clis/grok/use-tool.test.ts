import { expect, it } from "vitest";
import type { EventDraft } from "../../spec/wire/events.ts";
import { UsedTools } from "./messages.ts";

const start = (id: string, name: string) => ({ type: "tool-start", id, name }) as const;
const call = (id: string, name: string, input: object) => ({ type: "tool-call", id, name, input, executor: "cli" }) as EventDraft;

it("a call of use_tool begins when its input is complete, as a call of the tool that it names", () => {
  const used = new UsedTools();
  const begun = used.read([start("1", "use_tool"), { type: "tool-input-delta", id: "1", delta: "{" }, start("2", "search_tool")]);
  expect(begun).toEqual([start("2", "search_tool")]);
  expect(used.read([call("1", "use_tool", { tool_name: "host__look", tool_input: { at: "door" } })])).toEqual([
    start("1", "host__look"),
    call("1", "host__look", { at: "door" }),
  ]);
});

it("a call that names no tool of a server is one of use_tool, and one that is reset has never begun", () => {
  const used = new UsedTools();
  used.read([start("1", "use_tool"), start("2", "use_tool")]);
  expect(used.read([{ type: "tool-reset", id: "1" }, call("2", "use_tool", { tool_name: "read_file", tool_input: {} })])).toEqual(
    [start("2", "use_tool"), call("2", "use_tool", { tool_name: "read_file", tool_input: {} })],
  );
});
