import type { Permissions } from "../../../src/spec/request.ts";

/** The modes of the attack; `bypass` is the control, in which tricks must work. */
export const MODES = ["default", "plan", "dont-ask", "accept-edits", "deny", "pattern"] as const;
export type Mode = (typeof MODES)[number];
export type ModeOrControl = Mode | "bypass";

const WRITERS = ["Write", "Edit", "Bash"];
const HELPER_PATTERNS = ["Bash(file-tools *)", "Bash(file-tools * -- * *)"];

/** What the tools of a run do: `listed` ones are those that a request names, `foreign` ones are those of a server, all others are `further`. */
export type Subject = "listed" | "further" | "foreign";

/** The permissions to try, in this order: a CLI may refuse the first. */
export function permissionsOf(mode: ModeOrControl, subject: Subject): readonly Permissions[] {
  switch (mode) {
    case "deny": {
      const reading: Permissions = { mode: "dont-ask", deny: WRITERS };
      // With `bypass` the tools of a server may run, whatever they write.
      return subject === "foreign" ? [reading] : [{ mode: "bypass", deny: WRITERS }, reading];
    }
    case "pattern":
      return [{ mode: "dont-ask", allow: HELPER_PATTERNS }];
    default:
      return [{ mode }];
  }
}

/** True if files of the workspace may be written. */
export function mayEdit(mode: ModeOrControl): boolean {
  return mode === "accept-edits";
}
