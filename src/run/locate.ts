import { type FoundBinary, findBinary } from "../process/find-binary.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";

/** The program of a provider, or the failure that says how to get it. */
export function locate(provider: Provider, env: Readonly<Record<string, string | undefined>>): FoundBinary | Failure {
  const found = findBinary(provider.binary, env);
  if (!("missing" in found)) return found;
  if (found.missing === "not-executable") {
    return createFailure("cli-not-executable", `${found.looked} is there but may not be executed.`, {
      evidence: { errno: "EACCES" },
    });
  }
  const details = {
    hint: `Install ${provider.label} or give its path.`,
    fixCommand: provider.install,
    evidence: { errno: "ENOENT" },
  };
  return createFailure("cli-missing", `${provider.label} was not found (looked for ${found.looked} on PATH).`, details);
}
