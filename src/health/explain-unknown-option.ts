import { locate } from "../launch/find-cli.ts";
import type { RunHost } from "../run/open-run.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { describeRange } from "../spec/provider/capabilities.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { askVersion, readVersion, wrongProgram } from "./probe-version.ts";

/** The failure of a rejected flag, with the found and the checked versions; or that the program is not the provider's at all. */
export async function explainUnknownOption(failure: Failure, provider: Provider, host: RunHost): Promise<Failure> {
  const found = locate(provider, host.env);
  const printed = "command" in found ? await askVersion(provider, found, host) : "";
  const wrong = "command" in found ? wrongProgram(host.providers, provider, found, printed) : undefined;
  if (wrong !== undefined) return wrong;
  const flag = /'(--?[\w-]+)|(--[\w-]+)/.exec(failure.message);
  const named = flag?.[1] ?? flag?.[2] ?? "an option that Coxswain passes";
  const version = readVersion(printed) ?? "(version unknown)";
  const { label, versionsChecked } = provider;
  const checked = versionsChecked === undefined ? "" : `; checked with ${describeRange(versionsChecked)}`;
  return { ...failure, message: `${label} ${version} does not accept ${named}${checked}.` };
}
