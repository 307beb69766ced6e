import { createHash } from "node:crypto";
import type { ParkReason } from "../process/channel/channel.ts";
import { memoryOf } from "../process/tree/process-table.ts";
import { conversationOf, isThread, toNextPrompt, toPromptRequest, withoutTools } from "../prompts/to-prompt.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { WarmOptions } from "../spec/client-options.ts";
import { resumedBy } from "../spec/fields.ts";
import type { HostCall, Message } from "../spec/message.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import { FollowUps } from "./demand.ts";
import { type KeptTurn, KeptTurns } from "./kept-turns.ts";
import { WarmPool } from "./warm-pool.ts";

/** A kept turn, and what continues it: the results of its calls, or the prompt of the next message. */
export type Continuation = {
  readonly kept: KeptTurn;
  readonly results: ReadonlyMap<string, ToolAnswer>;
  /** What the CLI is sent and checked for; undefined for the next turn of a session, which is sent as any other. */
  readonly prompt?: PromptRequest;
};

/** What a client keeps between its runs: processes that wait for a turn, and turns that wait for a later run, within one bound of memory. */
export class Keeper {
  readonly processes: WarmPool;
  private readonly turns: KeptTurns;
  private readonly options: Required<WarmOptions>;
  /** The settings whose conversations go on. */
  private readonly followUps = new FollowUps();

  constructor(options: Required<WarmOptions>) {
    this.options = options;
    this.turns = new KeptTurns(options);
    this.processes = new WarmPool(options, () => this.bytes());
  }

  /** True if a turn that waits for this may be kept at all. */
  keeps(waitsFor: ParkReason): boolean {
    return this.turns.keeps(waitsFor);
  }

  /** The turn that waits for exactly the end of this conversation, if there is one. It is then no longer kept. Longer results do not fit into it. */
  continuation(target: ResolvedTarget, request: RunRequest, resultBytes: number): Continuation | undefined {
    if (this.turns.isEmpty) return undefined;
    const session = resumedBy(request);
    if (session !== undefined) return isPlainTurn(request) ? this.takeSession(target, request, session) : undefined;
    const { results } = splitResults(conversationOf(request));
    return results.length > 0 ? this.takeCalls(target, request, resultBytes) : this.takeAnswered(target, request);
  }

  /** True if a next message may continue this turn: its session stays loaded, or conversations with these settings go on. */
  expectsMessage(target: ResolvedTarget, request: RunRequest, keepsProcess: boolean): boolean {
    if (!this.turns.keeps("message")) return false;
    const { resident } = target.provider.transports;
    if (keepsProcess && resident?.locksSessions === true && isPlainTurn(request)) return true;
    if (!isContinuable(request)) return false;
    const isFollowUp = goesOn(conversationOf(request));
    if (!isFollowUp && this.followUps.isEmpty) return false;
    const settings = conversationKey(target, request, []);
    if (isFollowUp) this.followUps.note(settings);
    return this.followUps.areLikely(settings);
  }

  /** Keeps the turn for the next one of its session, or under the conversation with this answer, whose text may have more than one form. */
  keep(
    kept: KeptTurn,
    target: ResolvedTarget,
    request: RunRequest,
    { texts, toolCalls }: { readonly texts: readonly string[]; readonly toolCalls: readonly HostCall[] },
  ): void {
    const { turn, session } = kept;
    // A process with an answer takes a further turn only within this bound, as in the pool.
    if (turn.waitsFor === "message" && bytesOf([turn.channel.pid()]) > this.options.processBytes) return turn.end();
    const keyOf = (text: string): string =>
      conversationKey(target, request, [...conversationOf(request), { role: "assistant", text, toolCalls }]);
    this.turns.put(session === undefined ? texts.map(keyOf) : [sessionKey(target, request, session)], kept);
    // A process that waits for any turn gives way to a turn that waits for its run.
    const fits = (): boolean => this.bytes() <= this.options.totalBytes;
    this.processes.endIdle(fits);
    this.turns.endOldest(fits);
  }

  /** Ends the turns and processes that have a session in memory, so that another process can have it. */
  endSession(session: string): void {
    this.turns.endSession(session);
    this.processes.endSession(session);
  }

  /** Ends the turn that waits for the next one of a session. */
  endSessionTurn(session: string): void {
    this.turns.endSession(session);
  }

  /** Ends all turns, and starts no further process; the processes are ended by the host. */
  close(): void {
    this.processes.close();
    this.turns.close();
  }

  private bytes(): number {
    return bytesOf([...this.processes.pids(), ...this.turns.pids()]);
  }

  private takeCalls(target: ResolvedTarget, request: RunRequest, resultBytes: number): Continuation | undefined {
    const { before, results } = splitResults(conversationOf(request));
    const kept = this.turns.take(conversationKey(target, request, before), target.provider.id, "results");
    if (kept === undefined) return undefined;
    const answers = new Map<string, ToolAnswer>();
    for (const { callId, text, isError = false, images = [] } of results) {
      const id = kept.calls.get(callId);
      const fits = images.length === 0 && Buffer.byteLength(text) <= resultBytes;
      if (id !== undefined && fits && !answers.has(id)) answers.set(id, { text, isError });
    }
    if (answers.size !== kept.calls.size || answers.size !== results.length) {
      kept.turn.end();
      return undefined;
    }
    const { messages: _, prompt: __, images: ___, ...settings } = withoutTools(request);
    return { kept, results: answers, prompt: toPromptRequest({ ...settings, prompt: "" }, target.provider) };
  }

  private takeAnswered(target: ResolvedTarget, request: RunRequest): Continuation | undefined {
    const split = isContinuable(request) ? splitMessage(conversationOf(request)) : undefined;
    const kept = split && this.turns.take(conversationKey(target, request, split), target.provider.id, "message");
    if (kept === undefined) return undefined;
    const prompt = toNextPrompt(withoutTools(request), target.provider, kept.isThread === true);
    return { kept, results: NO_RESULTS, prompt };
  }

  /** The turn of a session that is still loaded; one with other settings is ended by the attempt. */
  private takeSession(target: ResolvedTarget, request: RunRequest, session: string): Continuation | undefined {
    const kept = this.turns.take(sessionKey(target, request, session), target.provider.id, "message");
    return kept && { kept, results: NO_RESULTS };
  }
}

const NO_RESULTS: ReadonlyMap<string, ToolAnswer> = new Map();

/** The memory of processes, each counted once. */
function bytesOf(pids: readonly (number | undefined)[]): number {
  return [...new Set(pids)].reduce((sum: number, pid) => sum + (pid === undefined ? 0 : (memoryOf(pid) ?? 0)), 0);
}

/** The fields of a request that do not change what the model sees. */
const UNSEEN = ["prompt", "messages", "images", "metadata", "timeouts", "budget", "maxWaitMs", "invalidCalls"] as const;

/**
 * A digest of everything that makes a conversation: the target, the settings, the tools and every message. Two requests with the same key
 * ask the same model the same question.
 */
function conversationKey({ target }: ResolvedTarget, request: RunRequest, messages: readonly Message[]): string {
  const settings = Object.fromEntries(Object.entries(request).filter(([name]) => !UNSEEN.some((unseen) => unseen === name)));
  const parts = [target, settings, messages.map(essenceOf)];
  return createHash("sha256").update(sortedJson(parts)).digest("base64");
}

/** The key of the next turn of a session, whose messages the CLI has. */
export function sessionKey(target: ResolvedTarget, { session: _, ...request }: RunRequest, session: string): string {
  return `${session.toLowerCase()} ${conversationKey(target, request, [])}`;
}

/**
 * A message without what does not change it. LangChain's agent gives each answer of the model the name of the step that asked for it, and
 * callers write absent fields as empty ones.
 */
function essenceOf(message: Message): Message {
  const { images = [], ...rest } = message;
  const spoken = images.length === 0 ? rest : message;
  if (spoken.role === "tool" && spoken.isError === false) {
    const { isError: _, ...result } = spoken;
    return result;
  }
  if (spoken.role !== "assistant") return spoken;
  const { name: _, toolCalls = [], ...answer } = spoken;
  return toolCalls.length === 0 ? answer : { ...answer, toolCalls };
}

/** The JSON of a value with the keys of its objects in alphabetical order, because a caller may rebuild a message. */
function sortedJson(value: readonly unknown[]): string {
  return JSON.stringify(value, (_, entry: unknown) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

type SplitConversation = {
  readonly before: readonly Message[];
  readonly results: readonly Extract<Message, { role: "tool" }>[];
};

/** Splits the results of host tools from the end of a conversation. */
function splitResults(messages: readonly Message[]): SplitConversation {
  const end = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const results = messages.slice(end).flatMap((message) => (message.role === "tool" ? [message] : []));
  return { before: messages.slice(0, end), results };
}

/**
 * True if the CLI's conversation has the messages of the request and nothing else, so that a next message can continue it: no session and a
 * plain completion.
 */
function isContinuable(request: RunRequest): boolean {
  return request.session === undefined && isPlainCompletion(request);
}

/** True for one message to a session in a plain completion without host tools. A thread of messages has a note in its system prompt, which a loaded session is not told. */
export function isPlainTurn(request: RunRequest): boolean {
  return request.session !== undefined && (request.tools ?? []).length === 0 && !isThread(request) && isPlainCompletion(request);
}

/** True for a completion without tools that the CLI runs, without a schema and without a prescribed prompt. */
function isPlainCompletion({ mode, maxTurns, mcpServers, outputSchema, threadEncoding }: RunRequest): boolean {
  return mode !== "agent" && [maxTurns, mcpServers, outputSchema, threadEncoding].every((value) => value === undefined);
}

/** True if the user has said something after an answer of the model; a loop of host tools alone is no such conversation. */
function goesOn(messages: readonly Message[]): boolean {
  const answered = messages.findIndex(({ role }) => role === "assistant");
  return answered !== -1 && messages.slice(answered).some(({ role }) => role === "user");
}

/** The messages before the last one, if that is a plain message of the user to an answer of the model. */
function splitMessage(messages: readonly Message[]): readonly Message[] | undefined {
  const [answer, last] = messages.slice(-2);
  const isNext = last?.role === "user" && last.name === undefined && last.text.trim() !== "";
  return isNext && answer?.role === "assistant" ? messages.slice(0, -1) : undefined;
}
