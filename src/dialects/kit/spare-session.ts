import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { Send } from "../../spec/wire/wire.ts";

/** A session that is open before its turn: its id, or the number of the request that is not answered yet. */
export type TakenSpare = { readonly sessionId: string } | { readonly call: number };

type SessionCall = { readonly call: number; readonly send: Send };

type Spare = { readonly settings: string; readonly call: number; sessionId?: string };

/** Keeps at most one session open for a turn that has not begun; only one turn uses it. Without settings there is none. */
export class SpareSession {
  private readonly close: (sessionId: string) => readonly Send[];
  private spare: Spare | undefined;
  /** The requests for sessions that are no longer wanted. */
  private readonly unwanted = new Set<JsonValue | undefined>();

  /** `close` returns what closes a session that no turn has used. */
  constructor(close: (sessionId: string) => readonly Send[]) {
    this.close = close;
  }

  /** True if a session is open or was asked for. */
  exists(): boolean {
    return this.spare !== undefined;
  }

  /** True if the session for a turn with these settings is open or was asked for. */
  isFor(settings: JsonObject | undefined): boolean {
    return settings !== undefined && this.spare?.settings === JSON.stringify(settings);
  }

  /** Replaces the session by one with these settings, unless it has them. */
  prepare(settings: JsonObject | undefined, open: () => SessionCall): readonly Send[] {
    if (settings === undefined || this.isFor(settings)) return [];
    const close = this.discard();
    const { call, send } = open();
    this.spare = { settings: JSON.stringify(settings), call };
    return [...close, send];
  }

  /** Gives the session to a turn with these settings. */
  take(settings: JsonObject | undefined): TakenSpare | undefined {
    if (this.spare === undefined || !this.isFor(settings)) return undefined;
    const { call, sessionId } = this.spare;
    this.spare = undefined;
    return sessionId === undefined ? { call } : { sessionId };
  }

  /** Reads an answer that belongs to no turn, and returns what is sent because of it; without an id the request has failed. */
  readAnswer(call: JsonValue | undefined, sessionId: string | undefined): readonly Send[] {
    if (this.unwanted.delete(call)) return sessionId === undefined ? [] : this.close(sessionId);
    if (this.spare === undefined || this.spare.call !== call) return [];
    if (sessionId === undefined) this.spare = undefined;
    else this.spare.sessionId = sessionId;
    return [];
  }

  /** The CLI has closed a session by itself. */
  sawClosed(sessionId: string): void {
    if (this.spare?.sessionId === sessionId) this.spare = undefined;
  }

  private discard(): readonly Send[] {
    const { spare } = this;
    if (spare === undefined) return [];
    if (spare.sessionId !== undefined) return this.close(spare.sessionId);
    this.unwanted.add(spare.call);
    return [];
  }
}
