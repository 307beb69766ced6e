import type { AskOptions } from "../options/ask-options.ts";
import { isAgent } from "./ask-session.ts";
import type { Person, TrustedAgent } from "./settle-trust.ts";

/** Whether the project of an agent is trusted. A completion reads no project, and does not load the code that looks at one. */
export async function trustOf(
  agent: TrustedAgent,
  options: Pick<AskOptions, "agent">,
  person: Person | undefined,
): Promise<{ readonly trustProject?: boolean }> {
  return isAgent(agent.asked, options) ? await (await import("./settle-trust.ts")).settleTrust(agent, person) : {};
}
