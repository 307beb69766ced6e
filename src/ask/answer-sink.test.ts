import { expect, it } from "vitest";
import { EventLog } from "../attempt/event-log.ts";
import { markOf } from "../prompts/tool-prompt.ts";
import { cancelledEnd } from "../run/part.ts";
import { RunWriter } from "../run/run-writer.ts";
import type { EventBody, RunEnd } from "../spec/wire/events.ts";
import { AnswerSink } from "./answer-sink.ts";
import { openReader, type ReadAnswer } from "./open-reader.ts";

const REQUEST = { prompt: "Send it.", tools: [{ name: "transfer", parameters: { type: "object" } }] };
const MARK = markOf([{ role: "user", text: REQUEST.prompt }]);
const CALL = `\`\`\`json\n{"mark":"${MARK}","tool_calls":[{"name":"transfer","args":{"amount":100},"id":"call_1"}]}\n\`\`\``;

function read(bodies: readonly EventBody[], end: RunEnd, isStopped = (): boolean => false): Promise<ReadAnswer> {
  const writer = new RunWriter(
    "run",
    () => 0,
    () => {},
  );
  const sink = new AnswerSink(openReader(REQUEST, {}), new EventLog(writer, writer), writer, {
    isFirst: true,
    isStopped,
  });
  for (const body of bodies) sink.write(body);
  return sink.read(end);
}

it("a reset of a complete message removes its calls and frees their ids", async () => {
  const messageWith = (messageId: string): readonly EventBody[] => [
    { type: "text-delta", messageId, text: CALL },
    { type: "text-end", messageId },
  ];
  const bodies: readonly EventBody[] = [
    ...messageWith("item_0"),
    { type: "text-reset", messageId: "item_0" },
    ...messageWith("item_1"),
  ];
  const { calls } = await read(bodies, { type: "run-end", finish: "stop", answerId: "item_1" });
  expect(calls).toEqual([{ id: "call_1", name: "transfer", args: { amount: 100 } }]);
});

it("a call in a message without text-end counts if the attempt succeeded, not if it failed", async () => {
  const begun: EventBody = { type: "text-delta", messageId: "m", text: CALL };
  expect((await read([begun], { type: "run-end", finish: "stop", answerId: "m" })).calls).toHaveLength(1);
  expect((await read([begun], cancelledEnd())).calls).toEqual([]);
});

it("other events reach the writer although reading is stopped", async () => {
  const written: string[] = [];
  const writer = new RunWriter(
    "run",
    () => 0,
    (batch) => written.push(...batch.map(({ type }) => type)),
  );
  const sink = new AnswerSink(openReader(REQUEST, {}), new EventLog(writer, writer), writer, {
    isFirst: true,
    isStopped: () => true,
  });
  sink.write({ type: "text-delta", messageId: "m", text: "{\n".repeat(2_000_000) });
  sink.write({ type: "tool-reset", id: "t" });
  await sink.read(cancelledEnd());
  sink.write({ type: "tool-reset", id: "late" });
  writer.flush();
  expect(written.filter((type) => type === "tool-reset")).toHaveLength(2);
});

it("an answer whose reading is stopped has no calls and says so", async () => {
  const text = `${"{\n".repeat(2_000_000)}\n\n${CALL}`;
  const answer = await read([{ type: "text-delta", messageId: "m", text }], { type: "run-end", finish: "stop" }, () => true);
  expect(answer).toMatchObject({ isUnread: true, calls: [], problems: [] });
});
