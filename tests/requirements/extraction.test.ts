import { expect, test } from "vitest";
import { eventsOf } from "../support/runs/read-run.ts";
import { readEvents, readOutput, toStream } from "./own-cli.ts";

const RULES = {
  extraction: {
    content: ["delta.value", "choices.0.text"],
    error: "problem.words",
    sessionId: "chat",
    inputTokens: "n.in",
    outputTokens: "n.out",
    end: { kind: "bye" },
  },
  errors: [{ text: "coffee", code: "quota-exhausted" }],
};
const BYE = { kind: "bye", n: { in: 3, out: 4 } };

test("R135 the paths of an entry lead to pieces of the answer, session, usage and the end of the turn", () => {
  const stdout = toStream(
    { kind: "hi", chat: "c-1" },
    { kind: "piece", delta: { value: "Hel" } },
    { choices: [{ text: "lo" }], chat: "c-1" },
    BYE,
  );
  const events = readEvents("stream-json", stdout, { entry: RULES });
  expect(eventsOf(events, "text-delta").map(({ text }) => text)).toEqual(["Hel", "lo"]);
  expect(eventsOf(events, "session-start")).toMatchObject([{ sessionId: "c-1" }]);
  expect(readOutput("stream-json", stdout, { entry: RULES })).toMatchObject({
    text: "Hello",
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, estimated: false },
  });
});

test("R135 with an end in the rules a run without it has failed, whatever its exit code", () => {
  const piece = toStream({ delta: { value: "Hel" } });
  expect(readOutput("stream-json", piece, { entry: RULES })).toMatchObject({
    failure: { code: "no-terminal-event", partialText: "Hel" },
  });
  expect(readOutput("stream-json", piece + toStream(BYE), { entry: RULES, exitCode: 1 })).toMatchObject({
    text: "Hel",
    finish: "stop",
  });
});

test("R135 words at the path of errors make the run fail by the entry's own rules", () => {
  const { failure } = readOutput("stream-json", toStream({ problem: { words: "out of Coffee" } }, BYE), { entry: RULES });
  expect(failure).toMatchObject({ code: "quota-exhausted", message: "out of Coffee" });
  const { end: _end, ...extraction } = RULES.extraction;
  const entry = { ...RULES, extraction };
  expect(readOutput("json", '{"problem":{"words":"out of coffee"},"content":"Hi"}', { entry }).failure?.code).toBe(
    "quota-exhausted",
  );
});

test("R135 in a document the paths come before the usual fields, which count if no path has a value", () => {
  const entry = { extraction: { content: "data.reply" } };
  expect(readOutput("json", '{"content":"no","data":{"reply":"yes"}}', { entry }).text).toBe("yes");
  expect(readOutput("json", '{"content":"yes","data":{"reply":7}}', { entry }).text).toBe("yes");
  expect(readOutput("json", '{"content":"yes","data":null}', { entry: { extraction: { content: "toString.name" } } }).text).toBe(
    "yes",
  );
});
