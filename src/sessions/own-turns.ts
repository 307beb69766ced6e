import { randomUUID } from "node:crypto";
import type { SessionRecord } from "../spec/session.ts";

/** The sessions that are remembered; the oldest is forgotten first. */
const MOST_SESSIONS = 1000;

/** The last turns that one client took, by session: a warm process knows these, and no turn of another client. */
export class OwnTurns {
  private readonly marks = new Map<string, string>();

  /** True if this client took the last turn of the session. */
  wasLast({ id, lastTurn }: SessionRecord): boolean {
    return lastTurn !== undefined && this.marks.get(id) === lastTurn;
  }

  /** Returns the record with the mark of a turn that begins now. */
  begin(record: SessionRecord): SessionRecord {
    const lastTurn = randomUUID();
    this.marks.delete(record.id);
    this.marks.set(record.id, lastTurn);
    const [oldest] = this.marks.keys();
    if (this.marks.size > MOST_SESSIONS && oldest !== undefined) this.marks.delete(oldest);
    return { ...record, lastTurn };
  }
}
