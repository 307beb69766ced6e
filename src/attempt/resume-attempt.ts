import { launchOptions } from "../launch/plan-launch.ts";
import { type Prepared, prepare } from "../launch/prepare.ts";
import type { KnownTarget } from "../request/targets.ts";
import { cancelledEnd } from "../run/failed-end.ts";
import type { PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";
import { beginTurn, mayRepeat, noticesOf } from "./attempt.ts";
import { withAdvice } from "./conclude.ts";

/**
 * Makes the attempt that continues a parked turn: with the results of its calls, or with the prompt of the request. It ends with undefined
 * if the process was lost before it showed anything, so that another process can answer the whole conversation; a login that was lost or
 * replaced counts too.
 */
export function resumeAttempt(
  host: RunHost,
  left: KeptTurn,
  results: ReadonlyMap<string, ToolAnswer>,
): (cli: KnownTarget, request: PromptRequest, context: PartContext) => Promise<RunEnd | undefined> {
  return async (cli, given, context) => {
    const { turn: parked, transport, model } = left;
    if (context.signal.aborted) {
      parked.end();
      return cancelledEnd();
    }
    const isContinued = parked.waitsFor === "results";
    const prepared = prepare(host, cli, given, { answersPermissions: false, keepsProcess: false, isContinued });
    if ("code" in prepared || !isSame(prepared, left)) {
      parked.end();
      return undefined;
    }
    if (!parked.isOpen) return undefined;
    const attempting = { host, context, prepared, notices: noticesOf(host, prepared) };
    const turn = beginTurn(attempting, { transport, warm: true, ...(model !== undefined && { model }) });
    turn.resume(parked, results);
    context.writer.flush();
    const end = await turn.ended;
    if (!mayRepeat(attempting, turn, end)) return withAdvice(end, prepared);
    context.writer.repeats(end.failure);
    return undefined;
  };
}

/** True if the process has the program, login and environment of this request, and its transport can be sent the next message alone. */
function isSame(prepared: Prepared, { turn: { waitsFor }, transport, identity }: KeptTurn): boolean {
  if (prepared.identity() !== identity) return false;
  if (waitsFor === "results" || transport === "spawn") return true;
  const { provider, target, request, env } = prepared;
  const options = launchOptions(provider, target, request, { answersPermissions: false, env });
  return provider.transports.resident?.serves(request, options) === true;
}
