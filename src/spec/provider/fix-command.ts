import type { ProviderOrigin } from "./provider-facts.ts";

/** A command that fixes a failure, and the configuration file that the command comes from. */
export type Fix = {
  readonly fixCommand?: string;
  /** The path of that file; absent for a command of Coxswain. */
  readonly fixFrom?: string;
};

/** The fix by a command of a provider, such as the one that installs it; none if the command is empty. */
export function fixBy({ origin }: { readonly origin?: ProviderOrigin }, command: string | undefined): Fix {
  if (command === undefined || command === "") return {};
  return { fixCommand: command, ...(origin !== undefined && { fixFrom: origin.path }) };
}
