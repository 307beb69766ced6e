import { expect } from "vitest";
import { collect } from "../../../src/run/collect.ts";
import type { RunEvent, ToolEnd } from "../../../src/spec/events.ts";

/** Fails unless the events of one run keep what docs/events.md promises of any run. */
export function expectGrammar(events: readonly RunEvent[]): void {
  expectFrame(events);
  expectWellTyped(events);
  expectSoundTexts(events);
  expectSoundTools(events);
  expectFittingEnd(events);
}

function expectFrame(events: readonly RunEvent[]): void {
  expect(events[0]?.type, "the first event").toBe("run-start");
  expect(events.at(-1)?.type, "the last event").toBe("run-end");
  expect(events.filter(({ type }) => type === "run-start" || type === "run-end")).toHaveLength(2);
  expect(events.map(({ seq }) => seq)).toStrictEqual(events.map((_, index) => index));
  expect(events.filter(({ atMs }) => !Number.isInteger(atMs) || atMs < 0)).toStrictEqual([]);
  expect(events.filter(({ type }) => type === "session-start").length, "session-start").toBeLessThanOrEqual(1);
}

const strings = ["messageId", "text", "id", "name", "delta", "sessionId", "model", "cwd", "cliVersion", "auth", "requestId"];
const wanted = new Map<string, string>([
  ...[...strings, "code", "message", "reason", "answerId", "finish", "parentToolId"].map((key) => [key, "string"] as const),
  ...["attempt", "maxAttempts", "delayMs", "status", "costUsd", "durationMs"].map((key) => [key, "number"] as const),
  ...["isError", "synthetic"].map((key) => [key, "boolean"] as const),
]);

function expectWellTyped(events: readonly RunEvent[]): void {
  for (const event of events) {
    for (const [key, value] of Object.entries(event)) {
      const type = wanted.get(key);
      if (type !== undefined) expect(typeof value, `${key} of ${event.type}`).toBe(type);
      expect(value, `${key} of ${event.type}`).not.toBe(undefined);
    }
    if (event.type === "text-delta" || event.type === "reasoning-delta") expect(event.text, event.type).not.toBe("");
    if (event.type === "tool-call" || event.type === "tool-end") expect(event).toHaveProperty("input");
    if (event.type === "session-start" && event.tools !== undefined)
      expect(event.tools.filter((tool) => typeof tool !== "string")).toStrictEqual([]);
    if (event.type === "usage") expectNumbers(event.usage);
  }
}

function expectNumbers(usage: object): void {
  const { estimated, scope, ...numbers } = Object.fromEntries(Object.entries(usage));
  expect(typeof estimated).toBe("boolean");
  expect(scope).toBe("turn");
  expect(Object.values(numbers).filter((count) => typeof count !== "number")).toStrictEqual([]);
}

function expectSoundTexts(events: readonly RunEvent[]): void {
  const states = new Map<string, "begun" | "complete" | "void">();
  const parents = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.type !== "text-delta" && event.type !== "text-end" && event.type !== "text-reset") continue;
    const { messageId, type, parentToolId } = event;
    const state = states.get(messageId);
    const allowed = { "text-delta": [undefined, "begun"], "text-end": ["begun"], "text-reset": ["begun", "complete"] }[type];
    expect(allowed, `${type} of ${messageId}`).toContain(state);
    states.set(messageId, type === "text-delta" ? "begun" : type === "text-end" ? "complete" : "void");
    if (!parents.has(messageId)) parents.set(messageId, parentToolId);
    expect(parentToolId, `the parent of ${messageId}`).toBe(parents.get(messageId));
  }
}

type ToolState = { readonly name: string; readonly parent: string | undefined; input?: unknown; isOver: boolean };

function expectSoundTools(events: readonly RunEvent[]): void {
  const tools = new Map<string, ToolState>();
  for (const event of events) {
    if (event.type === "tool-start") {
      expect(tools.has(event.id), `${event.id} begins once`).toBe(false);
      tools.set(event.id, { name: event.name, parent: event.parentToolId, isOver: false });
    }
    if (event.type !== "tool-input-delta" && event.type !== "tool-call" && event.type !== "tool-end") continue;
    const tool = tools.get(event.id);
    expect(tool?.isOver, `${event.type} of ${event.id} comes while it is open`).toBe(false);
    expect(event.parentToolId, `the parent of ${event.id}`).toBe(tool?.parent);
    if (tool === undefined || event.type === "tool-input-delta") continue;
    expect(event.name).toBe(tool.name);
    if (event.type === "tool-call") tool.input = event.input;
    else expectSoundToolEnd(event, tool);
  }
  expect([...tools].filter(([, { isOver }]) => !isOver)).toStrictEqual([]);
}

function expectSoundToolEnd(event: ToolEnd, tool: ToolState): void {
  tool.isOver = true;
  if (tool.input !== undefined) expect(JSON.stringify(event.input)).toBe(JSON.stringify(tool.input));
  expect(event).toHaveProperty("output");
  if (event.synthetic === true) expect([event.output, event.isError]).toStrictEqual([null, false]);
}

function expectFittingEnd(events: readonly RunEvent[]): void {
  const end = events.at(-1);
  if (end?.type !== "run-end") return;
  const { text, failure } = collect(events);
  if (end.failure === undefined) expect(["stop", "length", "content-filter", "tool-calls"]).toContain(end.finish);
  else {
    const { category, code } = end.failure;
    expect(end.finish).toBe(category === "cancelled" ? "cancelled" : code === "output-truncated" ? "length" : "error");
    expect(end.failure.message).not.toMatch(/[\r\n]/);
    expect(text).toBe("");
  }
  expect(failure?.code).toBe(end.failure?.code);
  if (end.answerId !== undefined) expectLastSaid(events, end.answerId);
  else expect(text).toBe("");
}

/** The answer is a complete message of the main conversation, and nothing was said after it that still holds. */
function expectLastSaid(events: readonly RunEvent[], answerId: string): void {
  const voids = new Set(events.flatMap((event) => (event.type === "text-reset" ? [event.messageId] : [])));
  const spoken = events.filter(
    (event) => event.type === "text-delta" && event.parentToolId === undefined && !voids.has(event.messageId),
  );
  expect(spoken.at(-1), "the last that was said").toMatchObject({ messageId: answerId });
  const ends = events.filter((event) => "messageId" in event && event.messageId === answerId && event.type !== "reasoning-delta");
  expect(ends.at(-1)?.type, "how the answer ended").toBe("text-end");
}
