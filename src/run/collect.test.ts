import { expect, it } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import type { EventBody, RunEvent } from "../spec/wire/events.ts";
import { Collector, collect } from "./collect.ts";

type Draft = EventBody & { readonly parentToolId?: string };

it("a run without events has an empty result", () => {
  expect(collect([])).toEqual({ text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error" });
});

it("the text of the result has all pieces of the answer in order", () => {
  const result = collect(events([text("a", "Hel"), text("a", "lo"), { type: "text-end", messageId: "a" }, ended("a")]));
  expect(result).toMatchObject({ text: "Hello", finish: "stop" });
});

it("messages before the last are not part of the answer", () => {
  expect(collect(events([text("a", "Let me look."), text("b", "It is noon."), ended("b")])).text).toBe("It is noon.");
});

it("a run without an answerId has no text", () => {
  expect(collect(events([text("a", "Hello"), { type: "run-end", finish: "stop" }])).text).toBe("");
});

it("reset text is not in the result, and text after the reset is", () => {
  const taken = [text("a", "Wrong"), { type: "text-reset", messageId: "a" }] as const;
  expect(collect(events([...taken, ended("a")])).text).toBe("");
  expect(collect(events([...taken, text("a:1", "Right"), ended("a:1")])).text).toBe("Right");
});

it("a reset of an earlier message does not change the last one", () => {
  const drafts = [text("a", "Old"), text("b", "New"), { type: "text-reset", messageId: "a" }, ended("b")] as const;
  expect(collect(events(drafts)).text).toBe("New");
});

it("text of a sub-agent is never in the answer, even between its pieces", () => {
  const sub = { ...text("s", "Sub."), parentToolId: "p" };
  expect(collect(events([text("a", "Ma"), sub, text("a", "in."), ended("a")])).text).toBe("Main.");
  expect(collect(events([text("a", "Main."), sub, ended("s")])).text).toBe("");
});

it("a text-reset of a sub-agent does not change the answer, even with the same id", () => {
  const reset = { type: "text-reset", messageId: "a", parentToolId: "p" } as const;
  expect(collect(events([text("a", "Main."), reset, ended("a")])).text).toBe("Main.");
});

it("text of a failed run is not in the result's text", () => {
  const failure = createFailure("crashed", "It died.", { partialText: "Hel" });
  const result = collect(events([text("a", "Hel"), { type: "run-end", finish: "error", failure }]));
  expect(result).toMatchObject({ text: "", finish: "error", failure });
});

it("reasoning is not in the text", () => {
  const reasoning = { type: "reasoning-delta", messageId: "a", text: "Hmm." } as const;
  expect(collect(events([reasoning, text("a", "Yes."), ended("a")])).text).toBe("Yes.");
});

it("tool calls are in the order of their ends; calls of sub-agents and synthetic ends are marked", () => {
  const base = { type: "tool-end", name: "Read", input: { path: "x" }, output: "text", isError: false, durationMs: 5 } as const;
  const result = collect(
    events([
      { type: "tool-start", id: "a", name: "Read" },
      { type: "tool-start", id: "b", name: "Read" },
      { ...base, id: "b", parentToolId: "a" },
      { ...base, id: "a", output: null, synthetic: true, details: { stdout: "kept with the event only" } },
    ]),
  );
  const record = { name: "Read", input: { path: "x" }, output: "text", isError: false, durationMs: 5 };
  expect(result.toolCalls).toEqual([
    { ...record, id: "b", parentToolId: "a" },
    { ...record, id: "a", output: null, synthetic: true },
  ]);
});

it("denials and warnings are in order, without number and time", () => {
  const result = collect(
    events([
      { type: "warning", code: "one", message: "First." },
      { type: "permission-denied", id: "t", name: "Bash", input: { command: "ls" } },
      { type: "warning", code: "two", message: "Second." },
    ]),
  );
  expect(result.warnings).toEqual([
    { code: "one", message: "First." },
    { code: "two", message: "Second." },
  ]);
  expect(result.permissionDenials).toEqual([{ id: "t", name: "Bash", input: { command: "ls" } }]);
});

it("session, model, usage, cost and object come from the last event of each kind", () => {
  const usage = { outputTokens: 7, estimated: false, scope: "turn" } as const;
  const result = collect(
    events([
      { type: "session-start", sessionId: "s", model: "m" },
      { type: "usage", usage: { ...usage, outputTokens: 1 }, costUsd: 0.1 },
      { type: "usage", usage },
      { type: "object-delta", object: { half: true } },
      { type: "object-delta", object: { whole: true } },
      { type: "run-end", finish: "length" },
    ]),
  );
  expect(result).toMatchObject({ sessionId: "s", model: "m", usage, costUsd: 0.1, object: { whole: true }, finish: "length" });
});

it("provider and model are those of the last target; the model that the CLI reported counts more than the one it was asked for", () => {
  const failure = createFailure("overloaded", "Busy.");
  const start = { type: "run-start", runId: "r", provider: "one", model: "large" } as const;
  const refused = { type: "run-end", finish: "error", failure } as const;
  const moved = { type: "fallback", from: "one", fromModel: "large", to: "two", toModel: "small", failure } as const;
  const attempt = {
    type: "attempt-start",
    provider: "two",
    model: "small",
    transport: "spawn",
    warm: false,
    attempt: 1,
  } as const;
  expect(collect(events([start, refused]))).toMatchObject({ provider: "one", model: "large" });
  expect(collect(events([start, moved, refused]))).toMatchObject({
    provider: "two",
    model: "small",
    attempts: [
      { provider: "one", model: "large", failure },
      { provider: "two", model: "small", failure },
    ],
  });
  const reported = { type: "session-start", sessionId: "s", model: "small-2026" } as const;
  expect(collect(events([start, moved, attempt, reported, ended("a")]))).toMatchObject({ provider: "two", model: "small-2026" });
});

it("a field without an event is absent, not empty", () => {
  const result = collect(
    events([
      { type: "session-start", sessionId: "s" },
      { type: "run-end", finish: "stop" },
    ]),
  );
  for (const key of ["provider", "model", "usage", "costUsd", "object", "failure", "events"])
    expect(result).not.toHaveProperty(key);
});

it("an object that is null is an object", () => {
  expect(collect(events([{ type: "object-delta", object: null }]))).toHaveProperty("object", null);
});

it("all events are in the result with keepEvents, otherwise none", () => {
  const all = events([{ type: "run-start", runId: "r" }, text("a", "Hi"), { type: "native", text: "?" }, ended("a")]);
  const collector = new Collector(true);
  for (const event of all) collector.add(event);
  expect(collector.result().events).toEqual(all);
  expect(collect(all)).not.toHaveProperty("events");
});

function events(drafts: readonly Draft[]): readonly RunEvent[] {
  return drafts.map((draft, seq) => ({ ...draft, seq, atMs: seq }));
}

function text(messageId: string, piece: string): Extract<Draft, { type: "text-delta" }> {
  return { type: "text-delta", messageId, text: piece };
}

function ended(answerId: string): Extract<Draft, { type: "run-end" }> {
  return { type: "run-end", finish: "stop", answerId };
}
