import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import { locate } from "./locate.ts";
import { probeVersion } from "./probe-version.ts";
import type { RunHost } from "./runner.ts";

/** The failure of a rejected flag with the version that was found beside the versions that were checked. */
export async function explainUnknownOption(failure: Failure, provider: Provider, host: RunHost): Promise<Failure> {
  const found = locate(provider, host.env);
  const version = "command" in found ? await probeVersion(provider, found, host) : undefined;
  const flag = /'(--?[\w-]+)|(--[\w-]+)/.exec(failure.message);
  const named = flag?.[1] ?? flag?.[2] ?? "one of our options";
  const message = `${provider.label} ${version ?? "(version unknown)"} does not accept ${named}; checked with ${provider.versionsChecked.join(", ")}.`;
  return { ...failure, message };
}
