import type { PermissionAnswer } from "../spec/stream.ts";

/** A question about the call with this id, and when the host was asked. */
type OpenQuestion = { readonly callId: string; readonly askedAtMs?: number };

/** The permission requests of one attempt: how long its calls waited for an answer, and why the host denied a call. */
export class AskedCalls {
  private readonly questions = new Map<string, OpenQuestion>();
  private readonly waits = new Map<string, number>();
  private readonly reasons = new Map<string, string>();

  /** The CLI asks about a call. */
  add(requestId: string, callId: string): void {
    this.questions.set(requestId, { callId });
  }

  /** The host is asked. */
  ask(requestId: string, atMs: number): void {
    const question = this.questions.get(requestId);
    if (question !== undefined) this.questions.set(requestId, { ...question, askedAtMs: atMs });
  }

  /** The host has answered. */
  answer(requestId: string, answer: PermissionAnswer, atMs: number): void {
    const question = this.questions.get(requestId);
    if (question === undefined) return;
    this.questions.delete(requestId);
    this.wait(question, atMs);
    if (answer.behavior === "deny" && answer.message !== "") this.reasons.set(question.callId, answer.message);
  }

  /** The reason that the host gave for its denial of a call. */
  reasonOf(callId: string): string | undefined {
    return this.reasons.get(callId);
  }

  /** Forgets a call that has ended; returns how long it waited, until now if it still waits, and undefined if it never did. */
  end(callId: string, atMs: number): number | undefined {
    for (const [requestId, question] of this.questions) {
      if (question.callId !== callId) continue;
      this.questions.delete(requestId);
      this.wait(question, atMs);
    }
    const waited = this.waits.get(callId);
    this.waits.delete(callId);
    this.reasons.delete(callId);
    return waited;
  }

  private wait({ callId, askedAtMs }: OpenQuestion, atMs: number): void {
    if (askedAtMs !== undefined) this.waits.set(callId, (this.waits.get(callId) ?? 0) + atMs - askedAtMs);
  }
}
