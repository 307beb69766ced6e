import { randomUUID } from "node:crypto";
import type { Message } from "../spec/message.ts";
import type { Targets } from "../spec/request.ts";

export type AskedConversation = {
  readonly targets: Targets;
  readonly system?: string;
  readonly prompt: string;
  readonly answer: string;
};

type Kept = AskedConversation & { /** The stored session that has continued it. */ sessionId?: string };

const MOST_CONVERSATIONS = 100;
const MOST_CHARACTERS = 16_000_000;

/**
 * The last answers of `ask`, so that `session` can continue them. They are in the memory of the server only: most are never continued, and a
 * CLI that stores no session answers sooner and leaves nothing behind.
 */
export class AskedConversations {
  private readonly kept = new Map<string, Kept>();
  private characters = 0;

  /** Returns the id of the conversation; the oldest ones are forgotten. */
  keep(conversation: AskedConversation): string {
    const id = randomUUID();
    this.kept.set(id, conversation);
    this.characters += lengthOf(conversation);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_CONVERSATIONS && this.characters <= MOST_CHARACTERS) break;
      this.forget(oldest);
    }
    return id;
  }

  find(id: string): Readonly<Kept> | undefined {
    return this.kept.get(id);
  }

  continuedBy(id: string, sessionId: string): void {
    const known = this.kept.get(id);
    if (known !== undefined) known.sessionId = sessionId;
  }

  private forget(id: string): void {
    const known = this.kept.get(id);
    this.kept.delete(id);
    if (known !== undefined) this.characters -= lengthOf(known);
  }
}

export function messagesOf({ prompt, answer }: AskedConversation): readonly Message[] {
  return [
    { role: "user", text: prompt },
    { role: "assistant", text: answer },
  ];
}

function lengthOf({ system = "", prompt, answer }: AskedConversation): number {
  return system.length + prompt.length + answer.length;
}
