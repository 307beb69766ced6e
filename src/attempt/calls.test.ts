import { expect, it } from "vitest";
import { RunWriter } from "../run/run-writer.ts";
import type { EventDraft } from "../spec/wire/events.ts";
import { EventLog } from "./event-log.ts";

const text = (messageId: string, words: string): EventDraft => ({ type: "text-delta", messageId, text: words });
const over = (messageId: string): EventDraft => ({ type: "text-end", messageId });
const start = (id: string): EventDraft => ({ type: "tool-start", id, name: "Read" });
const end = (id: string): EventDraft => ({ type: "tool-end", id, output: "", isError: false });

it("a message or call that goes on after its end gets another id, messages and calls apart", () => {
  const drafts = [
    text("m", "a"),
    over("m"),
    text("m", "b"),
    text("m", "c"),
    over("m"),
    start("m"),
    end("m"),
    start("m"),
    end("m"),
  ];
  const { log, ids } = idsOf(drafts);
  expect(ids).toEqual(["m", "m", "m+1", "m+1", "m+1", "m", "m", "m+1", "m+1"]);
  expect(log.facts().partialText).toBe("bc");
  expect(log.answerId("m")).toBe("m+1");
});

it("a message that goes on after its reset gets another id", () => {
  expect(idsOf([text("m", "a"), { type: "text-reset", messageId: "m" }, text("m", "b")]).ids).toEqual(["m", "m", "m+1"]);
});

it("the answer is the last message, also when the CLI names the one before it", () => {
  const { log } = idsOf([text("first", "a"), over("first"), text("last", "b"), over("last")]);
  expect(log.answerId("first")).toBe("last");
});

function idsOf(drafts: readonly EventDraft[]): { readonly log: EventLog; readonly ids: readonly string[] } {
  const writer = new RunWriter(
    "run",
    () => 0,
    () => {},
  );
  const log = new EventLog(writer, writer);
  for (const draft of drafts) log.add(draft);
  return {
    log,
    ids: writer.take().map((event) => ("messageId" in event ? event.messageId : "id" in event ? (event.id ?? "") : "")),
  };
}
