import { conversationOf } from "../prompts/to-prompt.ts";
import { modelOf, type ResolvedTarget } from "../request/targets.ts";
import { failedEnd, type Part, type PartContext } from "../run/part.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import { capabilitiesOf } from "../spec/provider/cli-data.ts";
import type { RunRequest, SessionChoice } from "../spec/request.ts";
import type { SessionRecord } from "../spec/session.ts";

/** How an attempt uses the CLI's session: continues it, continues a copy, or begins with the whole thread. */
type SessionUse = "resumed" | "forked" | "new";

export type TurnBinding = {
  readonly bind: (next: Part) => Part;
  readonly lastTarget: () => ResolvedTarget | undefined;
  readonly lastUse: () => SessionUse;
};

/**
 * Gives each target of a turn its request: the new message for the CLI that has the session, and the whole thread for any other. A
 * new session always gets an id that the CLI chooses, so that a retry never uses the id of a failed attempt.
 */
export function bindTurn(record: SessionRecord, thread: readonly Message[]): TurnBinding {
  let target: ResolvedTarget | undefined;
  let use: SessionUse = "new";
  const told = new Set<string>();
  const bind =
    (next: Part): Part =>
    async (targets, request, context) => {
      const [asked] = targets;
      const bound = boundRequest(record, thread, asked, request);
      if ("code" in bound) return failedEnd(bound);
      target = asked;
      use = bound.use;
      if (use === "new") tellHandover(record, thread, asked, context, told);
      const end = await next(targets, bound.request, context);
      if (end.failure?.code !== "session-unknown" || use === "new") return end;
      return { ...end, failure: { ...end.failure, hint: LOST } };
    };
  return { bind, lastTarget: () => target, lastUse: () => use };
}

const LOST = "Hand the session over to the same CLI: it then gets the stored conversation in a new session.";

type Bound = { readonly request: RunRequest; readonly use: SessionUse };

function boundRequest(
  record: SessionRecord,
  thread: readonly Message[],
  target: ResolvedTarget,
  given: RunRequest,
): Bound | Failure {
  const { cli, turns, keepsThread } = record;
  const { provider } = target;
  const request = withDenials(target, given);
  const { sessions } = capabilitiesOf(provider);
  if (cli !== undefined && sessions && cli.provider === provider.id && cli.profile === target.target.profile) {
    const session: SessionChoice = cli.isFork === true ? { fork: cli.id } : { resume: cli.id };
    return { request: { ...request, session }, use: cli.isFork === true ? "forked" : "resumed" };
  }
  if (!keepsThread && (turns > 0 || !sessions)) return withoutThread(provider.label, sessions);
  const begun = thread.length === 0 ? request : withThread(thread, request);
  return { request: sessions ? { ...begun, session: { keep: true } } : begun, use: "new" };
}

function withoutThread(label: string, sessions: boolean): Failure {
  const why = sessions ? "does not have this session" : "has no sessions";
  return createFailure("option-unsupported", `${label} ${why}, and the thread of this session is not stored.`, {
    hint: "Start the session with keepThread, or use the CLI that has it.",
  });
}

function withThread(thread: readonly Message[], request: RunRequest): RunRequest {
  const { prompt: _, images: __, messages: ___, ...rest } = request;
  return { ...rest, messages: [...thread, ...conversationOf(request)] };
}

/** In a session a denied call fails the turn, unless the session decides otherwise or the CLI does not report denials. */
function withDenials({ provider }: ResolvedTarget, request: RunRequest): RunRequest {
  if (request.mode !== "agent" || request.onPermissionDenied !== undefined) return request;
  return provider.options.includes("denial-reports") ? { ...request, onPermissionDenied: "error" } : request;
}

/** Each target of a turn is told once, however often it is retried. */
function tellHandover(
  { answeredBy: from }: SessionRecord,
  thread: readonly Message[],
  to: ResolvedTarget,
  { writer }: PartContext,
  told: Set<string>,
): void {
  if (from === undefined || thread.length === 0) return;
  if (from.provider === to.provider.id && from.profile === to.target.profile) return;
  const toModel = modelOf(to);
  const key = JSON.stringify([to.provider.id, to.target.profile, toModel]);
  if (told.has(key)) return;
  told.add(key);
  const names = { from: from.provider, fromModel: from.model, to: to.provider.id, toModel };
  writer.tick();
  writer.write(defined({ type: "handover", ...names, messages: thread.length }));
}
