import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Send, WireStep } from "../../spec/wire/wire.ts";
import { rpcAnswer } from "../kit/lines.ts";
import type { AcpCalls } from "./acp-calls.ts";

type Question = PermissionQuestion & { readonly id: JsonValue; readonly callId: string; readonly options: readonly JsonObject[] };

/** The answer names one of the options that the CLI offers, by its kind. */
export class AcpQuestions {
  private readonly calls: AcpCalls;
  private readonly open = new Map<string, Question>();

  constructor(calls: AcpCalls) {
    this.calls = calls;
  }

  /** Asks the host, or denies the call if no host is asked. */
  ask(id: JsonValue, params: JsonObject, isAsked: boolean): WireStep {
    const events: EventDraft[] = [];
    const { id: callId, name, input, isDescription } = this.calls.announce(objectOf(params["toolCall"]) ?? {}, events);
    const options = listOf(params["options"]).map((option) => objectOf(option) ?? {});
    const question: Question = { requestId: JSON.stringify(id), name, input, id, callId, options };
    this.open.set(question.requestId, question);
    if (!isAsked) {
      const { send, events: denied } = this.answer(question.requestId, { behavior: "deny", message: "" });
      return { events: [...events, ...denied], ...(send !== undefined && { send }) };
    }
    const asked = { requestId: question.requestId, name, input, ...(isDescription && { isDescription }) };
    return { events: [...events, { type: "permission-request", ...asked, id: callId }], asks: [asked] };
  }

  /** The protocol has no field for a changed input, so that an answer with one denies the call. */
  answer(requestId: string, answer: PermissionAnswer): WireStep {
    const question = this.open.get(requestId);
    if (question === undefined) return NO_STEP;
    this.open.delete(requestId);
    const isAllowed = answer.behavior === "allow" && isUnchanged(answer.updatedInput, question.input);
    const option = question.options.find(({ kind }) => kind === (isAllowed ? "allow_once" : "reject_once"));
    const optionId = stringOf(option?.["optionId"]);
    const outcome = optionId === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId } };
    const { callId, name, input } = question;
    const denied = isAllowed && optionId !== undefined ? [] : [{ type: "permission-denied", id: callId, name, input } as const];
    const unchanged = answer.behavior === "allow" && !isAllowed ? [UNCHANGEABLE] : [];
    return { events: [...unchanged, ...denied], send: [rpcAnswer(question.id, outcome)] };
  }

  /** The answers to all open requests of a turn that is interrupted. */
  withdraw(): readonly Send[] {
    const sends = [...this.open.values()].map(({ id }) => rpcAnswer(id, CANCELLED));
    this.open.clear();
    return sends;
  }
}

const UNCHANGEABLE: EventDraft = {
  type: "warning",
  code: "input-unchangeable",
  message: "The CLI cannot change the input of a tool, so the tool does not run.",
};

const CANCELLED = { outcome: { outcome: "cancelled" } };

function isUnchanged(updated: JsonValue | undefined, input: JsonValue): boolean {
  return updated === undefined || JSON.stringify(updated) === JSON.stringify(input);
}
