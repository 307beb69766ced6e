import type { Client } from "../client.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import { UsageError } from "./usage-error.ts";

/** The provider with this id or alias; an unknown one is a usage error. */
export function findProvider(providers: readonly Provider[], name: string): Provider {
  const found = providers.find((provider) => provider.id === name || provider.aliases.includes(name));
  if (found !== undefined) return found;
  const known = providers.map((provider) => provider.id).join(", ");
  throw new UsageError(`There is no provider "${name}".`, `Choose one of: ${known}.`);
}

/**
 * The first real CLI that is installed; the built-in rehearsal and CLIs of a project's configuration are never chosen
 * automatically.
 */
export function firstInstalled(client: Client): Provider | Failure {
  const real = client.providers.filter(({ binary, origin }) => "names" in binary && origin?.scope !== "project");
  const installed = real.find((provider) => client.locate(provider.id) !== undefined);
  if (installed !== undefined) return installed;
  const names = real.map((provider) => provider.id).join(", ");
  const first = real[0];
  return createFailure("cli-missing", `No supported AI CLI is installed (searched for: ${names}).`, {
    hint: `Install one${first === undefined ? "" : ` (${first.install})`}, or use --provider rehearsal, which needs no account`,
  });
}
