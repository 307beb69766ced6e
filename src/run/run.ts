import { ask } from "../ask/ask.ts";
import { planFirstAttempt } from "../ask/plan.ts";
import { inAttempt, needsOf, onNewProcess, onWarmProcess, withBudgetLeft, withoutKept } from "../attempt/attempt.ts";
import { prepare } from "../launch/prepare.ts";
import { settle } from "../request/settle.ts";
import { type AskedTargets, modelOf } from "../request/targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { PlannedProcess } from "../spec/provider/cli-data.ts";
import type { RunInput } from "../spec/request.ts";
import type { RunKind } from "../spec/run-listener.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { openRun, type RunHost } from "./open-run.ts";
import { type Attempt, cancelledEnd, failedEnd, type Part, type Policy, type SessionPart } from "./part.ts";

/** Starts and plans the runs of one client. */
export type Runs = {
  start(targets: AskedTargets, input: RunInput, context: RunContext): RunStream;
  /** Starts a turn of a session. */
  startTurn(targets: AskedTargets, input: RunInput, context: RunContext, session: SessionPart): RunStream;
  /** Starts the question of a health check, which no policy repeats or refuses. */
  startCheck(targets: AskedTargets, input: RunInput): RunStream;
  /** The process that `start` would use first now, for the first target, or the failure that would prevent it; starts nothing. */
  plan(targets: AskedTargets, input: RunInput, context: RunContext): PlannedProcess | Failure;
};

/**
 * Makes the functions that start the runs of one client. The order of the stages is here; each stage is done by the folder that it names. Sessions and
 * policies are given as parts.
 *
 * 1. request: fills in and checks the call. A wrong type throws; data that cannot be used makes a run that fails.
 * 2. run: opens a writer, to which every part writes its events, a queue, from which the caller reads them, and a collector, which makes the result.
 * 3. sessions, only for a turn of a session: claims the stored session until the result of this turn is stored. Inside of the policies it also wraps each
 *    attempt: a CLI that has the session gets the new message alone, any other the whole conversation.
 * 4. policy, not for a health check: budget › fallback › cooldown › retry › limit, the first outermost. When a target fails, fallback runs the
 *    rest with the next one. Retry runs limit and the stages 5 to 7 again on the same target.
 * 5. ask: decides how the conversation reaches the model, through the CLI's own protocol or as the text of one prompt. If the caller gave a function
 *    for its tools, ask calls it for each tool call of the model; if not, the run ends and returns the calls, and the process may be kept for the run that
 *    brings their results. If a process was kept in the middle of this conversation, ask continues there, and the stages 6 and 7 are left out.
 * 6. launch: prepares the prompt for the installed CLI: the command of its process, and the key by which a later run finds this process warm.
 * 7. attempt: takes a warm process (folder warm), or starts one (folder process), and runs one turn on it, with timeouts and an event log. It turns an error into
 *    a `Failure`. It ends the process, unless the keeper (folder warm) keeps it; then the keeper ends it when it is not used, and at the latest when the
 *    client is closed. If this Node process dies, the guardian, a small process of its own, ends the CLI.
 */
export function conductRuns(host: RunHost, policies: Policy): Runs {
  const sendPrompt: Attempt = async (cli, prompt, context) => {
    if (context.signal.aborted) return cancelledEnd();
    // A host without a guardian keeps no process.
    const here = withoutKept(host);
    const prepared = prepare(here, cli, withBudgetLeft(prompt, context), needsOf(here, context));
    if ("code" in prepared) return failedEnd(prepared);
    return inAttempt(
      { host: here, context, prepared },
      // Undefined: no warm process could take the turn.
      async (attempt) => (await onWarmProcess(attempt)) ?? (await onNewProcess(attempt)),
    );
  };

  const askModel: Part = ask(host, sendPrompt);

  const settleAndOpen = (targets: AskedTargets, input: RunInput, context: RunContext, part: Part, kind: RunKind): RunStream => {
    const { request, output, failure } = settle(input, context);
    const opening = { ...context, output, kind };
    if ("failure" in targets)
      return openRun(host, request, opening, async () => failedEnd(targets.failure), { provider: targets.asked });
    const begin: Part = failure === undefined ? part : async () => failedEnd(failure);
    const first = { provider: targets[0].provider.id, model: modelOf(targets[0]) };
    return openRun(host, request, opening, (writing) => begin(targets, request, writing), first);
  };

  return {
    start: (targets, input, context) => settleAndOpen(targets, input, context, policies(askModel), "run"),
    startTurn: (targets, input, context, session) =>
      settleAndOpen(
        targets,
        input,
        context,
        session((wrapAttempts) => policies(wrapAttempts(askModel))),
        "session",
      ),
    startCheck: (targets, input) => settleAndOpen(targets, input, {}, askModel, "check"),
    plan: (targets, input, context) => {
      const { request, failure } = settle(input, context);
      if ("failure" in targets) return targets.failure;
      return failure ?? planFirstAttempt(host, targets[0], request, context);
    },
  };
}
