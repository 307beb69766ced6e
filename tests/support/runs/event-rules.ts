import { FAILURE_CODES, type Failure, type RunEvent } from "../../../src/index.ts";
import { checkGrammar } from "./check-grammar.ts";

/** The rules of docs/events.md and docs/failures.md that these events break, whatever the CLI printed. */
export function findBrokenRules(events: readonly RunEvent[]): readonly string[] {
  return [
    ...checkGrammar(events),
    ...events.flatMap(checkEvent),
    ...checkSessions(events),
    ...checkEnd(events),
    ...checkPrototype(),
  ];
}

function checkEvent(event: RunEvent): readonly string[] {
  const wrong = [...checkText(event), ...checkNumbers(event)];
  if (!Number.isInteger(event.atMs)) wrong.push(`atMs is ${event.atMs}`);
  if ("failure" in event && event.failure !== undefined) wrong.push(...checkFailure(event.failure));
  try {
    JSON.stringify(event);
  } catch (error) {
    wrong.push(`${event.type} is no JSON: ${error}`);
  }
  return wrong;
}

function checkText(event: RunEvent): readonly string[] {
  if ((event.type === "text-delta" || event.type === "reasoning-delta") && event.text === "") return [`${event.type} is empty`];
  const ids = [Reflect.get(event, "messageId"), Reflect.get(event, "id"), Reflect.get(event, "name")];
  return ids.some((id) => id !== undefined && typeof id !== "string")
    ? [`${event.type} has an id or a name that is no string`]
    : [];
}

/** Counts and costs are numbers that a bill can have. */
function checkNumbers(event: RunEvent): readonly string[] {
  if (event.type === "tool-end") return isCount(event.durationMs) ? [] : [`tool-end took ${event.durationMs} ms`];
  if (event.type !== "usage") return [];
  const { estimated, scope, ...counts } = event.usage;
  const wrong = Object.entries({ ...counts, costUsd: event.costUsd ?? 0 }).filter(([, count]) => !isCount(count));
  return wrong.map(([name, count]) => `usage has ${name} ${String(count)}`);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function checkFailure({ code, message, hint }: Failure): readonly string[] {
  const wrong: string[] = [];
  if (!Object.hasOwn(FAILURE_CODES, code)) wrong.push(`the failure has the code ${String(code)}`);
  if (!isOneLine(message)) wrong.push(`the failure's message is not one line: ${JSON.stringify(message)}`);
  if (!isOneLine(hint)) wrong.push(`the failure's hint is not one line: ${JSON.stringify(hint)}`);
  return wrong;
}

function isOneLine(text: unknown): boolean {
  return typeof text === "string" && text.trim() !== "" && !/[\n\r]/.test(text);
}

function checkSessions(events: readonly RunEvent[]): readonly string[] {
  const wrong: string[] = [];
  let [attempts, sessions] = [0, 0];
  for (const event of events) {
    if (event.type === "attempt-start") {
      attempts += 1;
      sessions = 0;
      if (event.attempt !== attempts) wrong.push(`attempt ${attempts} says that it is ${event.attempt}`);
    }
    if (event.type === "session-start") sessions += 1;
    if (sessions > 1) wrong.push(`attempt ${attempts} has several sessions`);
  }
  return wrong;
}

/** The answer is the last message of the main agent; a failure goes with its finish. */
function checkEnd(events: readonly RunEvent[]): readonly string[] {
  const end = events.at(-1);
  if (end?.type !== "run-end") return [];
  const wrong: string[] = [];
  const hasFailed = end.finish === "error" || end.finish === "cancelled";
  if (hasFailed && end.failure === undefined) wrong.push(`the run ended with ${end.finish} and no failure`);
  if (!hasFailed && end.finish !== "length" && end.failure !== undefined) wrong.push(`a failed run ended with ${end.finish}`);
  const texts = events.filter((event) => event.type === "text-delta" && event.parentToolId === undefined);
  const last = texts.findLast((event) => event.type === "text-delta" && !isReset(events, event.messageId));
  const lastId = last?.type === "text-delta" ? last.messageId : undefined;
  if (end.answerId !== undefined && end.answerId !== lastId)
    wrong.push(`the answer is ${end.answerId}, the last message ${lastId}`);
  return wrong;
}

function isReset(events: readonly RunEvent[], messageId: string): boolean {
  return events.some((event) => event.type === "text-reset" && event.messageId === messageId);
}

function checkPrototype(): readonly string[] {
  const added = Object.keys(Object.prototype);
  return added.length === 0 ? [] : [`Object.prototype has ${added.join(" ")}`];
}
