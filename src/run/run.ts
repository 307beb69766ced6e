import { ask } from "../ask/ask.ts";
import { inAttempt, needsOf, onNewProcess, onWarmProcess, withoutKept } from "../attempt/attempt.ts";
import { withBudgetLeft } from "../attempt/limit-spending.ts";
import { planFirstAttempt } from "../attempt/plan-attempt.ts";
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
 * Conducts the runs of one client. This is the whole story of a run; each stage is a call into the room that owns it.
 *
 * 1. request: the types, paths and the schema of the call are settled; wrong types throw.
 * 2. run: one writer, one queue and one collector are opened. They get every event until the end.
 * 3. sessions: a turn of a session claims its record, and stores the result before the run ends.
 * 4. policy: budget › fallback › cooldown › retry › limit, one inside of the other. They choose the target, and they repeat what is inside.
 * 5. ask: decides how the conversation and the host tools reach the model: by the wire of the CLI, or in the text of the prompt. Runs the
 *    calls of the model by the caller's function, or ends the run with them. A kept turn of the same conversation continues here.
 * 6. launch: prepares the prompt for the installed CLI: what its process is started with, and by which key it can be shared.
 * 7. warm, process: a warm process takes the prompt; without one a process is started. The guardian ends it if this host dies.
 * 8. attempt: a turn of the wire on the channel of the process, with clocks and an event log. It ends the process, and names the failure.
 */
export function conductRuns(host: RunHost, policies: Policy): Runs {
  const sendPrompt: Attempt = async (cli, prompt, context) => {
    if (context.signal.aborted) return cancelledEnd();
    const here = withoutKept(host);
    const prepared = prepare(here, cli, withBudgetLeft(prompt, context), needsOf(here, context));
    if ("code" in prepared) return failedEnd(prepared);
    return inAttempt(
      { host: here, context, prepared },
      async (attempt) => (await onWarmProcess(attempt)) ?? (await onNewProcess(attempt)),
    );
  };

  const askModel: Part = ask(host, sendPrompt);

  const start = (targets: ResolvedTargets, input: RunInput, context: RunContext, part: Part, kind: RunKind): RunStream => {
    const { request, output, failure } = settle(input, context);
    const begin: Part = failure === undefined ? part : async () => failedEnd(failure);
    return openRun(host, request, { ...context, output, kind }, (writing) => begin(targets, request, writing), targets[0]);
  };

  return {
    start: (targets, input, context) => start(targets, input, context, policies(askModel), "run"),
    startTurn: (targets, input, context, session) =>
      start(
        targets,
        input,
        context,
        session((bind) => policies(bind(askModel))),
        "session",
      ),
    startCheck: (targets, input) => start(targets, input, {}, askModel, "check"),
    plan: ([target], input, context) => {
      const { request, failure } = settle(input, context);
      return failure ?? planFirstAttempt(host, target, request, context);
    },
  };
}
