import { ask } from "../ask/ask.ts";
import { planFirstAttempt } from "../ask/plan.ts";
import { inAttempt, needsOf, onNewProcess, onWarmProcess, withoutKept } from "../attempt/attempt.ts";
import { withBudgetLeft } from "../attempt/usage.ts";
import { prepare } from "../launch/prepare.ts";
import { settle } from "../request/settle.ts";
import type { ResolvedTargets } from "../request/targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { PlannedProcess } from "../spec/provider/launch-plan.ts";
import type { RunInput } from "../spec/request.ts";
import type { RunKind } from "../spec/run-listener.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { cancelledEnd, failedEnd } from "./failed-end.ts";
import { openRun } from "./open-run.ts";
import type { Attempt, Part, Policy, SessionPart } from "./part.ts";
import type { RunHost } from "./run-host.ts";

/** Starts and plans the runs of one client. */
export type Runs = {
  start(targets: ResolvedTargets, input: RunInput, context: RunContext): RunStream;
  /** Starts a turn of a session. */
  startTurn(targets: ResolvedTargets, input: RunInput, context: RunContext, session: SessionPart): RunStream;
  /** Starts the question of a health check, which no policy repeats or refuses. */
  startCheck(targets: ResolvedTargets, input: RunInput): RunStream;
  /** The process that `start` would use now, or the failure that would prevent it; starts nothing. */
  plan(targets: ResolvedTargets, input: RunInput, context: RunContext): PlannedProcess | Failure;
};

/**
 * Makes the functions that start the runs of one client. The order of the stages is here; each stage is done by the folder that it names.
 *
 * 1. request: fills in and checks the call. A wrong type throws; data that cannot be used makes a run that fails.
 * 2. run: opens one writer, one queue and one collector. All three get every event of the run.
 * 3. sessions, only for a turn of a session: no other turn can use the stored session until this one has stored its result.
 * 4. policy, not for a health check: budget › fallback › cooldown › retry › limit, each around the next. Fallback chooses the next target. Retry
 *    runs the stages from 5 on again.
 * 5. ask: sends the conversation through the CLI's own protocol or as the text of one prompt. If the caller gave a function for its tools, ask calls
 *    it for each call of the model; if not, the run ends and returns the calls. If a process still holds this conversation, its turn goes on
 *    there, and no other process is taken.
 * 6. launch: prepares the prompt for the installed CLI: the command of its process, and the key under which another run may use the process.
 * 7. attempt: takes a warm process (warm), or starts one (process). It runs one turn on it, with timeouts and an event log. It turns an error into a
 *    `Failure`, and ends a process that is not kept. If this Node process dies, the guardian, a small process of its own, ends the CLI.
 */
export function conductRuns(host: RunHost, policies: Policy): Runs {
  const sendPrompt: Attempt = async (cli, prompt, context) => {
    if (context.signal.aborted) return cancelledEnd();
    // Without a guardian no process may outlive its run.
    const here = withoutKept(host);
    const prepared = prepare(here, cli, withBudgetLeft(prompt, context), needsOf(here, context));
    if ("code" in prepared) return failedEnd(prepared);
    return inAttempt(
      { host: here, context, prepared },
      async (attempt) => (await onWarmProcess(attempt)) ?? (await onNewProcess(attempt)),
    );
  };

  const askModel: Part = ask(host, sendPrompt);

  const settleAndOpen = (
    targets: ResolvedTargets,
    input: RunInput,
    context: RunContext,
    part: Part,
    kind: RunKind,
  ): RunStream => {
    const { request, output, failure } = settle(input, context);
    const begin: Part = failure === undefined ? part : async () => failedEnd(failure);
    return openRun(host, request, { ...context, output, kind }, (writing) => begin(targets, request, writing), targets[0]);
  };

  return {
    start: (targets, input, context) => settleAndOpen(targets, input, context, policies(askModel), "run"),
    startTurn: (targets, input, context, session) =>
      settleAndOpen(
        targets,
        input,
        context,
        session((bind) => policies(bind(askModel))),
        "session",
      ),
    startCheck: (targets, input) => settleAndOpen(targets, input, {}, askModel, "check"),
    plan: ([target], input, context) => {
      const { request, failure } = settle(input, context);
      return failure ?? planFirstAttempt(host, target, request, context);
    },
  };
}
