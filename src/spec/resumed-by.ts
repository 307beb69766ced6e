import type { RunRequest } from "./request.ts";

/** The session that a request continues. */
export function resumedBy({ session }: Pick<RunRequest, "session">): string | undefined {
  return session !== undefined && "resume" in session ? session.resume : undefined;
}
