import { expect, it } from "vitest";
import type { EventBody } from "../spec/wire/events.ts";
import { EventLog } from "./event-log.ts";

it("calls of the host are left open, and those of the CLI are closed", () => {
  const written: EventBody[] = [];
  const sink = { write: (event: EventBody) => void written.push(event), writeText: () => {} };
  const log = new EventLog({ atMs: 0 }, sink);
  for (const [id, executor] of [
    ["mine", "host"],
    ["its", "cli"],
  ] as const) {
    log.add({ type: "tool-start", id, name: "look" });
    log.add({ type: "tool-call", id, name: "look", input: {}, executor });
  }
  expect([...log.leaveHostCalls()]).toEqual([["mine", "mine"]]);
  expect(written.filter(({ type }) => type === "tool-end")).toMatchObject([{ id: "its", synthetic: true }]);
});
