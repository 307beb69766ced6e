import { resumeAttempt } from "../attempt/resume-attempt.ts";
import { conversationOf, isThread, toNextPrompt, withoutTools } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/targets.ts";
import type { Attempt, KeptTurn, PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import { type PromptRequest, type RunRequest, resumedBy } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import {
  conversationKey,
  goesOn,
  isContinuable,
  isPlainTurn,
  sessionKey,
  splitMessage,
  splitResults,
} from "../warm/conversation-key.ts";

export type RunParts = { readonly attempt: Attempt; readonly host: RunHost; readonly target: KnownTarget };

/** The turns of one run: the parked one that it continues, and the one that it leaves for a later run. */
export class RunTurns {
  /** The turn that the last attempt has left. */
  left: KeptTurn | undefined;
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
    const park = (left: KeptTurn): void => {
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

/** A parked turn, and what continues it: results of its calls, or the prompt of the next message. */
type Continuation = {
  readonly left: KeptTurn;
  readonly results: ReadonlyMap<string, ToolAnswer>;
  readonly prompt?: PromptRequest;
};

type Place = { readonly host: RunHost; readonly target: KnownTarget };

/** The parked turn that waits for exactly the end of this conversation, if there is one; it is then no longer kept. */
function takeParked(place: Place, request: RunRequest, resultBytes: number): Continuation | undefined {
  if (place.host.parked?.isEmpty !== false) return undefined;
  const session = resumedBy(request);
  if (session !== undefined) return isPlainTurn(request) ? takeSession(place, request, session) : undefined;
  const { before, results } = splitResults(conversationOf(request));
  return results.length > 0 ? takeCalls(place, request, { before, results, resultBytes }) : takeAnswered(place, request);
}

type Results = ReturnType<typeof splitResults> & { readonly resultBytes: number };

function takeCalls(
  { host, target }: Place,
  request: RunRequest,
  { before, results, resultBytes }: Results,
): Continuation | undefined {
  const left = host.parked?.take(conversationKey(target, request, before), target.id, "results");
  if (left === undefined) return undefined;
  const answers = new Map<string, ToolAnswer>();
  for (const { callId, text, isError = false, images = [] } of results) {
    const id = left.calls.get(callId);
    const fits = images.length === 0 && Buffer.byteLength(text) <= resultBytes;
    if (id !== undefined && fits && !answers.has(id)) answers.set(id, { text, isError });
  }
  if (answers.size === left.calls.size && answers.size === results.length) return { left, results: answers };
  left.turn.end();
  return undefined;
}

function takeAnswered({ host, target }: Place, request: RunRequest): Continuation | undefined {
  const split = isContinuable(request) ? splitMessage(conversationOf(request)) : undefined;
  if (split === undefined) return undefined;
  const left = host.parked?.take(conversationKey(target, request, split), target.id, "message");
  if (left === undefined) return undefined;
  return { left, results: NO_RESULTS, prompt: toNextPrompt(withoutTools(request), target.provider, left.isThread === true) };
}

/** The turn of a session that is still loaded; one with other settings is ended by the attempt. */
function takeSession({ host, target }: Place, request: RunRequest, session: string): Continuation | undefined {
  const left = host.parked?.take(sessionKey(target, request, session), target.id, "message");
  return left && { left, results: NO_RESULTS };
}

const NO_RESULTS: ReadonlyMap<string, ToolAnswer> = new Map();
