import { conversationOf, toNextPrompt, withoutTools } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/resolve-target.ts";
import type { LeftTurn } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import { resumedBy } from "../spec/resumed-by.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import { conversationKey, isContinuable, isPlainTurn, sessionKey, splitMessage, splitResults } from "../warm/conversation-key.ts";

/** A parked turn, and what continues it: results of its calls, or the prompt of the next message. */
export type Continuation = {
  readonly left: LeftTurn;
  readonly results: ReadonlyMap<string, ToolAnswer>;
  readonly prompt?: PromptRequest;
};

type Place = { readonly host: RunHost; readonly target: KnownTarget };

/** The parked turn that waits for exactly the end of this conversation, if there is one; it is then no longer kept. */
export function takeParked(place: Place, request: RunRequest, resultBytes: number): Continuation | undefined {
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
