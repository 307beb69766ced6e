import type { RunRequest } from "./request.ts";

/** The session that a request continues; undefined also for an id of a wrong type, because a request may not be validated yet. */
export function resumedBy({ session }: Pick<RunRequest, "session">): string | undefined {
  return session !== undefined && "resume" in session && typeof session.resume === "string" ? session.resume : undefined;
}
