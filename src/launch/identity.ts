import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { userHome } from "../files/state-directory.ts";
import { readVariable } from "../spec/provider/connection.ts";
import type { LaunchPlan } from "../spec/provider/launch-plan.ts";
import type { Provider, Surroundings } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";
import type { InstalledCli } from "./find-cli.ts";

/** A text that changes when the program of a CLI or its login is replaced. */
export function identityOfCli({ provider, found }: InstalledCli, { profile }: Target, env: Surroundings): string {
  const program = "command" in found ? [found.command, ...found.prefixArgs] : [];
  return [...program, ...loginFiles(provider, env, profile)].map(stampOf).join(" ");
}

/** A text that changes as that of `identityOfCli` does, and also with the environment, which may have another login. */
export function identityWithEnv(cli: InstalledCli, target: Target, env: Surroundings): string {
  // An attempt with a bridge adds its address here.
  const { NO_PROXY: _, no_proxy: __, ...others } = env;
  return `${identityOfCli(cli, target, env)} ${digestOf(others)}`;
}

/** A digest that is equal for plans that start the same process. */
export function digestOfPlan(plan: LaunchPlan, env: Surroundings): string {
  const { provider, command, args, env: own, stripEnv, cwd, home, stdout, tempFiles, leftovers, umask } = plan;
  return digestOf([provider, command, args, own, stripEnv, cwd, home, stdout, tempFiles, leftovers, umask, env]);
}

/** A digest of a value, so that no secret in it can be read. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}

/** Changes when the file is replaced, added or removed. A file in a directory that may not be read counts as absent. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(path);
    return `${mtimeMs}.${ino}.${size}`;
  } catch {
    return "-";
  }
}

/** The paths of the files that exist after a login of a CLI; none for a CLI whose login files are not known. */
export function loginFiles(provider: Provider, env: Surroundings, profile: string | undefined): readonly string[] {
  const { loginStatus } = provider;
  if (loginStatus === undefined || loginStatus === "not-needed" || loginStatus.files === undefined) return [];
  const { variable, folder, names } = loginStatus.files;
  const own = variable !== undefined && variable === provider.env.profile ? profile : undefined;
  const named = variable === undefined ? undefined : readVariable(env, variable);
  const home = own ?? (named || join(userHome(env), folder));
  return names.map((name) => join(home, name));
}
