import type { LeftTurn } from "../resident/parked-turns.ts";
import type { RunEnd } from "../spec/events.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import { withAdvice } from "./advise.ts";
import { beginTurn, mayRepeat, runTurn } from "./attempt.ts";
import { withoutIgnored } from "./check-support.ts";
import { cancelledEnd } from "./ends.ts";
import { identityWithEnv } from "./identity-of-cli.ts";
import { findInstalled, type InstalledCli, warnOfUnproven } from "./installed-cli.ts";
import type { PartContext } from "./part.ts";
import { launchOptions } from "./plan-launch.ts";
import { inRealDirectory } from "./real-directory.ts";
import type { KnownTarget } from "./resolve-target.ts";
import type { RunHost } from "./run-host.ts";
import { settleCli } from "./settle-cli.ts";
import { validateRequest } from "./validate-request.ts";

/**
 * Makes the attempt that continues a parked turn: with the results of its calls, or with the prompt of the request. It ends with undefined
 * if the process was lost before it showed anything, so that another process can answer the whole conversation; a login that was lost or
 * replaced counts too.
 */
export function resumeAttempt(
  host: RunHost,
  left: LeftTurn,
  results: ReadonlyMap<string, ToolAnswer>,
): (cli: KnownTarget, request: PromptRequest, context: PartContext) => Promise<RunEnd | undefined> {
  return async ({ target, provider: known }, given, context) => {
    const { turn: parked, transport, model, identity } = left;
    if (context.signal.aborted) {
      parked.end();
      return cancelledEnd();
    }
    const settled = settleCli(findInstalled(host, known), target, given, host.env);
    if (!("cli" in settled)) {
      parked.end();
      return undefined;
    }
    const { cli, env } = settled;
    const { provider } = cli;
    const { request, warnings } = withoutIgnored(provider, inRealDirectory(given));
    const isReplaced = identityWithEnv(cli, target, { ...env, ...request.env }) !== identity;
    const here = { ...host, env };
    if (isReplaced || (parked.waitsFor === "message" && isRefused(here, cli, left, { target, request }))) parked.end();
    if (!parked.isOpen) return undefined;
    const turn = beginTurn(
      { host: here, provider, target, request, context, identity, notices: [...warnOfUnproven(here, cli), ...warnings] },
      { transport, warm: true, ...(model !== undefined && { model }) },
    );
    turn.resume(parked, results);
    const end = await runTurn(context, turn);
    if (!mayRepeat({ provider, context }, turn, end)) return withAdvice(end, { provider, target, request, env });
    context.writer.repeats(end.failure);
    return undefined;
  };
}

/** True if the next message alone cannot be sent to the process, as one that the CLI would take for a command. */
function isRefused(
  { env }: RunHost,
  { provider }: InstalledCli,
  { transport }: LeftTurn,
  { target, request }: { readonly target: Target; readonly request: PromptRequest },
): boolean {
  if (validateRequest(provider, target, request, env) !== undefined) return true;
  const options = launchOptions(provider, target, request, { answersPermissions: false, env });
  return transport === "resident" && provider.transports.resident?.serves(request, options) !== true;
}
