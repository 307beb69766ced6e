import { resumeAttempt } from "../attempt/resume-attempt.ts";
import { conversationOf, isThread } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/resolve-target.ts";
import type { Attempt, LeftTurn, PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { conversationKey, goesOn, isContinuable, isPlainTurn, sessionKey } from "../warm/conversation-key.ts";
import { type Continuation, takeParked } from "./take-parked.ts";

/** What the turns of a run need besides its request. */
export type RunParts = { readonly attempt: Attempt; readonly host: RunHost; readonly target: KnownTarget };

/** The turns of one run: the parked one that it continues, and the one that it leaves for a later run. */
export class RunTurns {
  /** The turn that the last attempt has left. */
  left: LeftTurn | undefined;
  private readonly parts: RunParts;
  private readonly request: RunRequest;
  private waiting: Continuation | undefined;
  /** True if the conversation of the turn was sent as the text of a thread. */
  private isThread = false;
  private readonly isExpected: boolean;

  /** Takes the parked turn that waits for exactly this request; a result longer than `resultBytes` does not fit into a turn. */
  constructor(parts: RunParts, request: RunRequest, resultBytes = 0) {
    this.parts = parts;
    this.request = request;
    this.waiting = takeParked(parts, request, resultBytes);
    this.isExpected = expectsMessage(parts, request);
  }

  /** Makes an attempt: it continues the parked turn, or sends the whole conversation if there is none or its process is lost. */
  async ask(cli: KnownTarget, prompt: PromptRequest, context: PartContext, parksCalls: boolean): Promise<RunEnd> {
    const { attempt } = this.parts;
    const { waiting } = this;
    this.waiting = undefined;
    const parking = this.withParking(context, parksCalls);
    const { nativeTools = [] } = prompt;
    const next = waiting?.prompt && { ...waiting.prompt, ...(nativeTools.length > 0 && { nativeTools }) };
    this.isThread = waiting?.left.isThread === true;
    const resumed =
      waiting && (await resumeAttempt(this.parts.host, waiting.left, waiting.results)(cli, next ?? prompt, parking));
    if (resumed !== undefined) return resumed;
    this.isThread = prompt.conversation === undefined && isThread(this.request);
    return await attempt(cli, prompt, parking);
  }

  /** Gives the results to the turn that was left; undefined if its process was lost. */
  async answer(
    results: ReadonlyMap<string, ToolAnswer>,
    cli: KnownTarget,
    prompt: PromptRequest,
    context: PartContext,
  ): Promise<RunEnd | undefined> {
    const { left } = this;
    if (left === undefined) return undefined;
    this.left = undefined;
    return await resumeAttempt(this.parts.host, left, results)(cli, prompt, this.withParking(context, true));
  }

  /** Keeps the turn for the next one of its session, or under the conversation with this answer, whose text may have more than one form. */
  keep(texts: readonly string[], { hostCalls = [], model }: Pick<RunResult, "hostCalls" | "model">): void {
    const { left, request } = this;
    const { host, target } = this.parts;
    if (left === undefined || (request.session !== undefined && left.session === undefined)) return;
    const { session } = left;
    const keyOf = (text: string): string => {
      const answer = { role: "assistant", text, toolCalls: hostCalls } as const;
      return conversationKey(target, request, [...conversationOf(request), answer]);
    };
    const keys = session === undefined ? texts.map(keyOf) : [sessionKey(target, request, session)];
    host.parked?.put(keys, { ...left, isThread: this.isThread, ...(model !== undefined && { model }) });
    this.left = undefined;
  }

  /** Ends the turns that no later run continues. */
  discard(): void {
    this.waiting?.left.turn.end();
    this.left?.turn.end();
  }

  private withParking(context: PartContext, parksCalls: boolean): PartContext {
    const isExpected = this.isExpected || (context.keepsProcess === true && staysLoaded(this.parts, this.request));
    if (!parksCalls && !isExpected) return context;
    const park = (left: LeftTurn): void => {
      const { sessionId: session } = context.writer;
      this.left = this.request.session === undefined || session === undefined ? left : { ...left, session };
    };
    return { ...context, park: { ...(parksCalls && { results: park }), ...(isExpected && { message: park }) } };
  }
}

/** True if the session of this turn stays loaded for the next one. */
function staysLoaded({ host: { parked }, target: { provider } }: RunParts, request: RunRequest): boolean {
  return provider.transports.resident?.locksSessions === true && isPlainTurn(request) && parked?.keeps("message") === true;
}

/** True if a next message may continue this conversation, and conversations with these settings go on. */
function expectsMessage({ host: { parked }, target }: RunParts, request: RunRequest): boolean {
  if (parked?.keeps("message") !== true || !isContinuable(request)) return false;
  const isFollowUp = goesOn(conversationOf(request));
  if (!isFollowUp && parked.followUps.isEmpty) return false;
  const settings = conversationKey(target, request, []);
  if (isFollowUp) parked.followUps.note(settings);
  return parked.followUps.areLikely(settings);
}
