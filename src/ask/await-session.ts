import { cancelledEnd } from "../run/ends.ts";
import type { Attempt } from "../run/part.ts";
import { hasTimeFor, waitFor } from "../run/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import { resumedBy } from "../spec/resumed-by.ts";
import type { RunEnd } from "../spec/wire/events.ts";

/** Longer than a session stays loaded after its turn (`LOADED_MS` in resident/parked-turns.ts). */
const AWAITED_MS = 3_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 400;

/**
 * Makes attempts that are repeated for three seconds while another process has their session: the process of the last turn may be exiting or
 * have the session loaded for its next turn (Codex lets only one process have it).
 */
export function awaitSession(attempt: Attempt, request: RunRequest): Attempt {
  if (resumedBy(request) === undefined) return attempt;
  return async (cli, prompt, context) => {
    let end = await attempt(cli, prompt, context);
    const deadline = performance.now() + Math.min(AWAITED_MS, request.maxWaitMs ?? AWAITED_MS);
    for (let delayMs = FIRST_DELAY_MS; isInUse(end); delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
      if (performance.now() + delayMs > deadline || !hasTimeFor(context, delayMs)) return end;
      if (delayMs === LONGEST_DELAY_MS) context.writer.warnOnce(request, IN_USE);
      if ((await waitFor(context, delayMs)) === "cancelled") return cancelledEnd();
      context.writer.repeats(end.failure);
      end = await attempt(cli, prompt, context);
    }
    return end;
  };
}

const IN_USE = {
  code: "session-in-use",
  message: "Another process has the session. Coxswain tries again for three seconds.",
} as const;

/** A CLI that has shown something had the session. */
function isInUse({ failure }: RunEnd): boolean {
  return failure?.code === "session-busy" && failure.partialText === undefined;
}
