import type { RunEvent } from "../spec/wire/events.ts";

type TextDelta = Extract<RunEvent, { type: "text-delta" }>;

/** The events of a batch, with the adjacent text of one message as one event: a backlog has hundreds of them in a batch. */
export function joinText(batch: readonly RunEvent[]): readonly RunEvent[] {
  const joined: RunEvent[] = [];
  for (let at = 0; at < batch.length; at += 1) {
    const event = batch[at];
    if (event === undefined) continue;
    if (event.type !== "text-delta" || !isSameText(batch[at + 1], event)) {
      joined.push(event);
      continue;
    }
    const texts = [event.text];
    for (let next = batch[at + 1]; isSameText(next, event); next = batch[at + 1]) {
      texts.push(next.text);
      at += 1;
    }
    joined.push({ ...event, text: texts.join("") });
  }
  return joined;
}

function isSameText(next: RunEvent | undefined, { messageId, parentToolId }: TextDelta): next is TextDelta {
  return next?.type === "text-delta" && next.messageId === messageId && next.parentToolId === parentToolId;
}
