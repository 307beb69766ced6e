import { expect, it } from "vitest";
import type { EventBody, RunEvent } from "../spec/events.ts";
import { openReader } from "../tools/open-reader.ts";
import { KnownVersions } from "./known-versions.ts";
import { PassReader } from "./pass-reader.ts";
import { Relay } from "./relay.ts";
import type { RunHost } from "./run-host.ts";
import { RunIds } from "./run-ids.ts";

const REQUEST = { prompt: "Send it.", tools: [{ name: "transfer", parameters: { type: "object" } }] };
const CALL = '```json\n{"tool_calls":[{"name":"transfer","args":{"amount":100},"id":"call_1"}]}\n```';
const HOST: RunHost = {
  env: {},
  guardian: undefined,
  limits: { lineBytes: 1000, spillBytes: 1000 },
  spills: new Set(),
  versions: new KnownVersions({}),
  providers: [],
  closing: new AbortController().signal,
  nextRunId: () => "run-1",
  track: () => {},
};

function read(bodies: readonly EventBody[]): ReturnType<PassReader["result"]> {
  const relay = new Relay(
    { run: "run-1", runIds: new RunIds(() => "run-1"), host: HOST, request: REQUEST },
    { keepEvents: false, cancel: () => {} },
  );
  const pass = new PassReader(openReader(REQUEST, "prompt"), relay);
  for (const [seq, body] of bodies.entries()) pass.take({ ...body, seq, atMs: 0 } as RunEvent);
  return pass.result();
}

it("a message that is taken back after its end takes its calls along, and their ids are free again", () => {
  const said = (messageId: string): readonly EventBody[] => [
    { type: "text-delta", messageId, text: CALL },
    { type: "text-end", messageId },
  ];
  const { calls } = read([
    ...said("item_0"),
    { type: "text-reset", messageId: "item_0" },
    ...said("item_1"),
    { type: "run-end", finish: "stop", answerId: "item_1" },
  ]);
  expect(calls).toEqual([{ id: "call_1", name: "transfer", args: { amount: 100 } }]);
});

it("a call in a message that never ended counts when the run ended well, and not when it failed", () => {
  const begun: EventBody = { type: "text-delta", messageId: "m", text: CALL };
  expect(read([begun, { type: "run-end", finish: "stop", answerId: "m" }]).calls).toHaveLength(1);
  expect(read([begun]).calls).toEqual([]);
});
