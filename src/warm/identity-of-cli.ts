import type { InstalledCli } from "../launch/installed-cli.ts";
import { loginFiles } from "../launch/login-files.ts";
import type { Surroundings } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";
import { identityOf, keyOfSettings } from "./resident-launch.ts";

/** A text that changes when the program of a CLI or its login is replaced. */
export function identityOfCli({ provider, found }: InstalledCli, { profile }: Target, env: Surroundings): string {
  const program = "command" in found ? [found.command, ...found.prefixArgs] : [];
  return identityOf([...program, ...loginFiles(provider, env, profile)]);
}

/** The same, and it also changes with the environment, which may have another login. */
export function identityWithEnv(cli: InstalledCli, target: Target, env: Surroundings): string {
  // An attempt with a bridge adds its address here.
  const { NO_PROXY: _, no_proxy: __, ...others } = env;
  return `${identityOfCli(cli, target, env)} ${keyOfSettings(others as Readonly<Record<string, string>>)}`;
}
