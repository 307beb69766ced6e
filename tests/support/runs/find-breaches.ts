import { collect } from "../../../src/run/collect.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";

/** The rules of docs/events.md that the events of one run break; empty when they are valid. */
export function findBreaches(events: readonly RunEvent[]): readonly string[] {
  return [
    ...findBreachesOfFrame(events),
    ...events.flatMap(findWrongTypes),
    ...findBreachesOfTexts(events),
    ...findBreachesOfTools(events),
    ...findBreachesOfEnd(events),
  ];
}

function findBreachesOfFrame(events: readonly RunEvent[]): readonly string[] {
  const count = (type: RunEvent["type"]): number => events.filter((event) => event.type === type).length;
  return [
    ...(events[0]?.type === "run-start" && count("run-start") === 1 ? [] : ["run-start is not first or not once"]),
    ...(events.at(-1)?.type === "run-end" && count("run-end") === 1 ? [] : ["run-end is not last or not once"]),
    ...(count("session-start") <= Math.max(1, count("attempt-start")) ? [] : ["session-start comes twice"]),
    ...(events.every(({ seq }, index) => seq === index) ? [] : ["seq does not count from 0"]),
    ...(events.every(({ atMs }) => Number.isInteger(atMs) && atMs >= 0) ? [] : ["atMs is no whole number"]),
  ];
}

const typeOfKey = new Map<string, string>([
  ...["messageId", "text", "id", "name", "delta", "sessionId", "model", "cwd", "cliVersion", "auth"].map(
    (key) => [key, "string"] as const,
  ),
  ...["requestId", "code", "message", "reason", "answerId", "finish", "parentToolId"].map((key) => [key, "string"] as const),
  ...["attempt", "maxAttempts", "delayMs", "status", "costUsd", "durationMs"].map((key) => [key, "number"] as const),
  ...["isError", "synthetic"].map((key) => [key, "boolean"] as const),
]);

function findWrongTypes(event: RunEvent): readonly string[] {
  const breaches = Object.entries(event)
    .filter(([key, value]) => value === undefined || (typeOfKey.has(key) && typeof value !== typeOfKey.get(key)))
    .map(([key, value]) => `${key} of ${event.type} is ${JSON.stringify(value)}`);
  const isPiece = event.type === "text-delta" || event.type === "reasoning-delta";
  if (isPiece && event.text === "") breaches.push(`${event.type} is empty`);
  const isCall = event.type === "tool-call" || event.type === "tool-end";
  if (isCall && !Object.hasOwn(event, "input")) breaches.push(`${event.type} lacks its input`);
  if (event.type === "tool-end" && !Object.hasOwn(event, "output")) breaches.push("tool-end lacks its output");
  if (event.type === "session-start" && event.tools?.every((tool) => typeof tool === "string") === false)
    breaches.push("a tool of session-start is no string");
  if (event.type === "usage") {
    const { estimated, scope, ...counts } = event.usage;
    if (typeof estimated !== "boolean" || scope !== "turn") breaches.push("usage is not of this turn");
    if (Object.values(counts).some((value) => typeof value !== "number")) breaches.push("a count is no number");
  }
  return breaches;
}

function findBreachesOfTexts(events: readonly RunEvent[]): readonly string[] {
  const states = new Map<string, "begun" | "complete" | "void">();
  const breaches: string[] = [];
  for (const event of events) {
    if (event.type !== "text-delta" && event.type !== "text-end" && event.type !== "text-reset") continue;
    const state = states.get(event.messageId) ?? "new";
    const allowed = { "text-delta": ["new", "begun"], "text-end": ["begun"], "text-reset": ["begun", "complete"] }[event.type];
    if (!allowed.includes(state)) breaches.push(`${event.type} of ${event.messageId}, which is ${state}`);
    states.set(event.messageId, event.type === "text-delta" ? "begun" : event.type === "text-end" ? "complete" : "void");
  }
  return breaches;
}

function findBreachesOfTools(events: readonly RunEvent[]): readonly string[] {
  const states = new Map<string, "open" | "over">();
  const breaches: string[] = [];
  for (const event of events) {
    if (event.type === "tool-start") {
      if (states.has(event.id)) breaches.push(`tool-start of ${event.id} comes twice`);
      states.set(event.id, "open");
    }
    if (!/^tool-(?:input-delta|call|reset|end)$/.test(event.type) || !("id" in event)) continue;
    const id = event.id ?? "";
    if (states.get(id) !== "open") breaches.push(`${event.type} of ${id}, which is ${states.get(id) ?? "unknown"}`);
    if (event.type === "tool-reset") states.set(id, "over");
    if (event.type !== "tool-end") continue;
    states.set(id, "over");
    if (event.synthetic === true && (event.output !== null || event.isError)) breaches.push("a synthetic tool-end has output");
  }
  const left = events.flatMap((event) => (event.type === "tool-call" && event.executor === "host" ? [event.id] : []));
  const isLeftToCaller = (id: string): boolean => endsWithCalls(events) && left.includes(id);
  const open = [...states].filter(([id, state]) => state === "open" && !isLeftToCaller(id));
  return [...breaches, ...open.map(([id]) => `${id} is never over`)];
}

/** The calls of host tools then have no end in this run: the caller makes them. */
function endsWithCalls(events: readonly RunEvent[]): boolean {
  const end = events.at(-1);
  return end?.type === "run-end" && end.finish === "tool-calls";
}

function findBreachesOfEnd(events: readonly RunEvent[]): readonly string[] {
  const end = events.at(-1);
  if (end?.type !== "run-end") return [];
  const { finish, failure, answerId } = end;
  const { text } = collect(events);
  const breaches: string[] = [];
  const isAnswer = finish === "stop" || finish === "length" || finish === "content-filter" || finish === "tool-calls";
  if (failure === undefined && !isAnswer) breaches.push(`finish is ${finish} without a failure`);
  if (failure !== undefined) {
    const fitting = failure.category === "cancelled" ? "cancelled" : failure.code === "output-truncated" ? "length" : "error";
    if (finish !== fitting) breaches.push(`finish is ${finish} with ${failure.code}`);
    if (/[\r\n]/.test(failure.message)) breaches.push("the message of the failure has several lines");
  }
  if (text !== "" && (failure !== undefined || answerId === undefined)) breaches.push("there is text without an answer");
  return answerId === undefined ? breaches : [...breaches, ...findBreachesOfAnswer(events, answerId)];
}

/** The answer is a complete message of the main conversation, and no later text remains without a reset. */
function findBreachesOfAnswer(events: readonly RunEvent[], answerId: string): readonly string[] {
  const voids = new Set(events.flatMap((event) => (event.type === "text-reset" ? [event.messageId] : [])));
  const spoken = events.flatMap((event) =>
    event.type === "text-delta" && event.parentToolId === undefined ? [event.messageId] : [],
  );
  const isEnded = events.some((event) => event.type === "text-end" && event.messageId === answerId);
  return [
    ...(isEnded && !voids.has(answerId) ? [] : ["the answer is not complete"]),
    ...(spoken.findLast((id) => !voids.has(id)) === answerId ? [] : ["the answer is not the last text"]),
  ];
}
