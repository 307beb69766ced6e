import { type FoundBinary, findBinary } from "../process/find-binary.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";

/** The program of a provider, or the failure of one that is missing or not executable. */
export function locate(provider: Provider, env: Readonly<Record<string, string | undefined>>): FoundBinary | Failure {
  const found = findBinary(provider.binary, env);
  if (!("missing" in found)) return found;
  if (found.missing === "not-executable") {
    return createFailure("cli-not-executable", `${found.looked} exists but is not executable.`, {
      evidence: { errno: "EACCES" },
    });
  }
  const details = {
    hint: `Install ${provider.label} or set its path.`,
    fixCommand: provider.install,
    evidence: { errno: "ENOENT" },
  };
  return createFailure("cli-missing", `${provider.label} was not found (searched for ${found.looked} on PATH).`, details);
}
