import { type FoundBinary, findBinary, relativeFolders } from "../process/child/find-binary.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { HealthWarning } from "../spec/health.ts";
import { fixBy } from "../spec/provider/fix-command.ts";
import type { Provider, Surroundings } from "../spec/provider/provider.ts";

/** What to do about programs of this package that a bundler left out. */
export const UNBUNDLE = "Keep the package coxswain external in the bundler, or install it beside the bundle (docs/bundling.md).";

/** The program of a provider, or the failure of one that is missing or not executable. */
export function locate(provider: Provider, env: Surroundings): FoundBinary | Failure {
  const found = findBinary(provider.binary, env);
  if (!("missing" in found)) return found;
  if (found.missing === "not-executable") {
    return createFailure("cli-not-executable", `${found.looked} exists but is not executable.`, {
      evidence: { errno: "EACCES" },
    });
  }
  if ("own" in provider.binary)
    return createFailure("cli-missing", `The program of ${provider.label} is not in this bundle.`, { hint: UNBUNDLE });
  const details = {
    hint: [`Install ${provider.label} or set its path.`, relativePathWarning(env)?.message ?? ""].join(" ").trim(),
    ...fixBy(provider, provider.install),
    evidence: { errno: "ENOENT" },
  };
  return createFailure("cli-missing", `${provider.label} was not found (searched for ${found.looked} on PATH).`, details);
}

/** The warning about relative entries of PATH, which are not searched. */
export function relativePathWarning(env: Surroundings): HealthWarning | undefined {
  const folders = relativeFolders(env);
  if (folders.length === 0) return undefined;
  const [words, verb] = folders.length === 1 ? ["The relative entry", "is"] : ["The relative entries", "are"];
  return {
    code: "path-relative",
    message: `${words} ${folders.map((folder) => JSON.stringify(folder)).join(", ")} of PATH ${verb} not searched.`,
    hint: "In a project of somebody else such an entry would start programs of that project. Use absolute entries.",
  };
}
