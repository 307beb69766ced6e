import { setTimeout as delay } from "node:timers/promises";
import type { RunEnd } from "../spec/events.ts";
import type { PromptRequest } from "../spec/request.ts";
import { cancelledEnd } from "./ends.ts";
import type { PartContext } from "./part.ts";

/** Together longer than a session stays loaded after its turn (`LOADED_MS` in resident/parked-turns.ts). */
const WAITS_MS = [100, 200, 300, 400, 500, 500, 500, 500];

/**
 * Makes an attempt, and makes it again for three seconds while another process has its session: the process of the last turn may be exiting or
 * have the session loaded for its next turn (Codex lets only one process have it).
 */
export async function awaitSession(
  session: string | undefined,
  context: PartContext,
  attempt: () => Promise<RunEnd>,
): Promise<RunEnd> {
  let end = await attempt();
  if (session === undefined) return end;
  for (const ms of WAITS_MS) {
    if (end.failure?.code !== "session-busy" || hasBegun(context)) return end;
    await delay(ms, undefined, { signal: context.signal }).catch(() => {});
    if (context.signal.aborted) return cancelledEnd();
    end = await attempt();
  }
  return end;
}

function hasBegun({ writer: { trace } }: PartContext): boolean {
  return trace.hasShown || trace.hasActed;
}

/** The session that a request continues. */
export function resumedBy({ session }: PromptRequest): string | undefined {
  return session !== undefined && "resume" in session ? session.resume : undefined;
}
