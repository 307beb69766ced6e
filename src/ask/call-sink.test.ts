import { expect, it } from "vitest";
import { bindTools } from "../schemas/validate-schema.ts";
import type { EventBody } from "../spec/wire/events.ts";
import { CallSink } from "./parked-calls.ts";

const parameters = {
  type: "object",
  properties: { place: { type: "string" }, floor: { type: "number", default: 1 } },
  required: ["place"],
};
const call = (id: string, input: { place?: string }): EventBody => ({
  type: "tool-call",
  id,
  name: "look",
  input,
  executor: "host",
});

function openSink(): { readonly sink: CallSink; readonly passed: EventBody[] } {
  const passed: EventBody[] = [];
  const next = {
    write: (event: EventBody) => void passed.push(event),
    writeText: (messageId: string, text: string) => void passed.push({ type: "text-delta", messageId, text }),
  };
  return { sink: new CallSink(next, bindTools([{ name: "look", parameters }])), passed };
}

it("a call gets the defaults of its schema, and its problems are kept", () => {
  const { sink, passed } = openSink();
  sink.write(call("a", { place: "hall" }));
  sink.write(call("b", {}));
  expect(passed).toMatchObject([{ input: { place: "hall", floor: 1 } }, { input: {} }]);
  expect(sink.calls()).toMatchObject([
    { id: "a", problem: "" },
    { id: "b", problem: expect.stringContaining("place") },
  ]);
});

it("a call that was reset or has ended waits for nothing", () => {
  const { sink } = openSink();
  for (const id of ["a", "b", "c"]) sink.write(call(id, {}));
  sink.write({ type: "tool-reset", id: "a" });
  sink.write({ type: "tool-end", id: "b", name: "look", input: {}, output: "", isError: false, durationMs: 1 });
  expect(sink.calls().map(({ id }) => id)).toEqual(["c"]);
});

it("the text is that of all messages that were not reset", () => {
  const { sink } = openSink();
  sink.writeText("1", "On");
  sink.writeText("1", "e.");
  sink.writeText("2", "Void.");
  sink.write({ type: "text-reset", messageId: "2" });
  sink.writeText("3", "Two.");
  expect(sink.text()).toBe("One.\n\nTwo.");
});
