import { expect, it } from "vitest";
import type { EventBody, RunEvent } from "../spec/events.ts";
import type { Usage } from "../spec/usage.ts";
import { EventSequence } from "./event-sequence.ts";
import { PassTrace, type RunEndEvent } from "./pass-trace.ts";

const START: EventBody = { type: "run-start", runId: "run" };
const ATTEMPT: EventBody = { type: "attempt-start", provider: "a", transport: "spawn", warm: false, attempt: 1 };

it("the first inner run passes as it is", () => {
  const sequence = new EventSequence();
  expect(sequence.isEmpty).toBe(true);
  sequence.beginPass(() => 2);
  const batch = stamped([START, ATTEMPT, text("One", "m")]);
  expect(sequence.take(batch)).toEqual(batch);
  expect(sequence.isEmpty).toBe(false);
  expect(sequence.idOf("m")).toBe("m");
});

it("over several inner runs numbers go through, starts are said once and attempts counted", () => {
  const sequence = new EventSequence();
  const shown = [
    ...pass(sequence, [START, ATTEMPT]),
    sequence.stamp({ type: "warning", code: "w", message: "Between." }),
    ...pass(sequence, [START, ATTEMPT, { ...ATTEMPT, attempt: 2 }]),
    ...pass(sequence, [START, ATTEMPT]),
  ];
  expect(shown.map(({ seq }) => seq)).toEqual(shown.map((_, index) => index));
  expect(shown.map(({ type }) => type)).toEqual(["run-start", "attempt-start", "warning", ...Array(3).fill("attempt-start")]);
  expect(shown.flatMap((event) => (event.type === "attempt-start" ? [event.attempt] : []))).toEqual([1, 2, 3, 4]);
  expect(sequence.attempts).toBe(4);
});

it("an event of our own before the first inner run leaves one run-start", () => {
  const sequence = new EventSequence();
  const shown = [sequence.stamp(START), sequence.stamp({ type: "queue-wait", position: 1 }), ...pass(sequence, [START, ATTEMPT])];
  expect(shown.map(({ type }) => type)).toEqual(["run-start", "queue-wait", "attempt-start"]);
  expect(shown.map(({ seq }) => seq)).toEqual([0, 1, 2]);
});

it("ids of inner runs are told apart, those of messages, calls and parents alike", () => {
  const sequence = new EventSequence();
  const tool: readonly EventBody[] = [
    { type: "tool-start", id: "t", name: "Bash" },
    { type: "tool-end", id: "t", name: "Bash", input: {}, output: "", isError: false, durationMs: 1 },
  ];
  const bodies = [text("One", "m"), { type: "text-end", messageId: "m" } as const, ...tool];
  const first = pass(sequence, bodies);
  const second = pass(sequence, bodies, "t");
  const ids = (events: readonly RunEvent[]): readonly string[] =>
    events.flatMap((event) =>
      "messageId" in event ? [event.messageId] : "id" in event && event.id !== undefined ? [event.id] : [],
    );
  expect(ids(first)).toEqual(["m", "m", "t", "t"]);
  expect(ids(second)).toEqual(["m", "m", "t", "t"].map(sequence.idOf));
  expect(sequence.idOf("m")).not.toBe("m");
  expect(second.map(({ parentToolId }) => parentToolId)).toEqual(Array(4).fill(sequence.idOf("t")));
});

it("the end of the last inner run is the end of the whole, and names its message as it was shown", () => {
  const sequence = new EventSequence();
  pass(sequence, [START, text("One", "m")]);
  const [said] = pass(sequence, [text("Two", "m")]);
  const end: RunEndEvent = { type: "run-end", finish: "stop", answerId: "m", seq: 77, atMs: 0 };
  expect(sequence.stampEnd(end)).toMatchObject({
    type: "run-end",
    seq: 3,
    answerId: said?.type === "text-delta" ? said.messageId : "",
  });
});

it("usage is that of all inner runs so far, and money that only some reported is theirs", () => {
  const sequence = new EventSequence();
  pass(sequence, [START, { type: "usage", usage: usage(10, 3), costUsd: 0.25 }]);
  const [second] = pass(sequence, [{ type: "usage", usage: usage(1, 1) }]);
  expect(second).toMatchObject({ usage: { inputTokens: 11, outputTokens: 4, totalTokens: 15 }, costUsd: 0.25 });
  const [growing, grown] = pass(sequence, [
    { type: "usage", usage: usage(5, 0), costUsd: 0.5 },
    { type: "usage", usage: usage(6, 1), costUsd: 0.5 },
  ]);
  expect(growing).toMatchObject({ usage: { totalTokens: 20 }, costUsd: 0.75 });
  expect(grown).toMatchObject({ usage: { totalTokens: 22 }, costUsd: 0.75 });
});

it("a warning that is hushed is not told again, other warnings are", () => {
  const sequence = new EventSequence();
  const warnings = ["setting-ignored", "cli-warning"].map(
    (code) => ({ type: "warning", code, message: `It is ${code}.` }) as const,
  );
  expect(pass(sequence, warnings)).toHaveLength(2);
  sequence.hush(["It is setting-ignored."]);
  expect(pass(sequence, warnings)).toMatchObject([{ code: "cli-warning" }]);
});

let parts = 1;

function nextPart(): number {
  parts += 1;
  return parts;
}

/** Lets an inner run pass whose events these are. */
function pass(sequence: EventSequence, bodies: readonly EventBody[], parentToolId?: string): readonly RunEvent[] {
  const trace = new PassTrace();
  const batch = stamped(bodies).map((event) => (parentToolId === undefined ? event : { ...event, parentToolId }));
  trace.note(batch);
  sequence.beginPass(nextPart);
  const shown = sequence.take(batch);
  sequence.endPass(trace);
  return shown;
}

function stamped(bodies: readonly EventBody[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, seq, atMs: 0 }));
}

function text(words: string, messageId: string): EventBody {
  return { type: "text-delta", messageId, text: words };
}

function usage(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, estimated: false, scope: "turn" };
}
