import type { RunEvent } from "../../../src/spec/wire/events.ts";

/** The violations of the event rules in a finished run. */
export function checkGrammar(events: readonly RunEvent[]): readonly string[] {
  const wrong: string[] = [];
  const count = (type: RunEvent["type"]): number => events.filter((event) => event.type === type).length;
  if (events[0]?.type !== "run-start" || count("run-start") !== 1) wrong.push("not one run-start first");
  if (events.at(-1)?.type !== "run-end" || count("run-end") !== 1) wrong.push("not one run-end last");
  if (events.some(({ seq }, index) => seq !== index)) wrong.push(`seq is ${events.map(({ seq }) => seq).join(" ")}`);
  if (events.some(({ atMs }, index) => atMs < (events[index - 1]?.atMs ?? 0))) wrong.push("time goes backwards");
  return [...wrong, ...checkTools(events), ...checkMessages(events)];
}

function checkTools(events: readonly RunEvent[]): readonly string[] {
  const begun = new Set<string>();
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === "tool-start") {
      if (begun.has(event.id)) wrong.push(`tool ${event.id} begins twice`);
      begun.add(event.id);
      open.add(event.id);
    }
    const isOver = event.type === "tool-end" || event.type === "tool-reset";
    if (isOver && !open.delete(event.id)) wrong.push(`tool ${event.id} ends without being open`);
  }
  return [...wrong, ...[...open].map((id) => `tool ${id} never ends`)];
}

/** No message id is used by two attempts, and a message that ended or was reset has no further events. */
function checkMessages(events: readonly RunEvent[]): readonly string[] {
  const attempts = new Map<string, number>();
  const over = new Set<string>();
  const wrong: string[] = [];
  let attempt = 0;
  for (const event of events) {
    if (event.type === "attempt-start") attempt = event.attempt;
    if (event.type === "text-end" || event.type === "text-reset") over.add(event.messageId);
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") continue;
    const { messageId } = event;
    if ((attempts.get(messageId) ?? attempt) !== attempt) wrong.push(`message ${messageId} is of two attempts`);
    attempts.set(messageId, attempt);
    if (event.type === "text-delta" && over.has(messageId)) wrong.push(`message ${messageId} goes on after its end`);
  }
  return wrong;
}
