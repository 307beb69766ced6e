import { probeVersion } from "../process/probe-version.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import { locate } from "./locate.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The failure of a rejected flag with the version that was found beside the versions that were checked. */
export async function explainUnknownOption(failure: Failure, provider: Provider, env: Environment): Promise<Failure> {
  const found = locate(provider, env);
  const version = "command" in found ? await probeVersion(found, env) : undefined;
  const flag = /'(--?[\w-]+)|(--[\w-]+)/.exec(failure.message);
  const named = flag?.[1] ?? flag?.[2] ?? "one of our options";
  const message = `${provider.label} ${version ?? "(version unknown)"} does not accept ${named}; checked with ${provider.versionsChecked.join(", ")}.`;
  return { ...failure, message };
}
