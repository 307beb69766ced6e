import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findBinary } from "../process/find-binary.ts";
import { userHome } from "../process/state-directory.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider, Surroundings } from "../spec/provider.ts";

/** One failure for each file or program that a provider needs and that does not exist; it names the path. */
export function checkRequirements(provider: Provider, command: string | undefined, env: Surroundings): readonly Failure[] {
  const { files = [], binaries = [] } = provider.requires ?? {};
  const placeOf = (path: string): string => place(path, command, env);
  return [
    ...binaries.flatMap((name) => missingProgram(provider, name.includes("/") ? placeOf(name) : name, env)),
    ...files.map(placeOf).flatMap((path) => (existsSync(path) ? [] : [missingFile(provider, path)])),
  ];
}

function missingProgram(provider: Provider, name: string, env: Surroundings): readonly Failure[] {
  const found = findBinary({ names: [name] }, env);
  if (!("missing" in found)) return [];
  if (found.missing === "not-executable")
    return [createFailure("cli-not-executable", `${provider.label} needs ${found.looked}, which is not executable.`)];
  const where = isAbsolute(name) ? `at ${name}` : "on PATH";
  const hint = `Install ${name} so that it is found ${where}.`;
  return [createFailure("cli-missing", `${provider.label} needs the program ${name}, which was not found ${where}.`, { hint })];
}

function missingFile(provider: Provider, path: string): Failure {
  const details = { hint: `Put the file at ${path}.` };
  return createFailure("cli-misconfigured", `${provider.label} needs the file ${path}, which does not exist.`, details);
}

function place(path: string, command: string | undefined, env: Surroundings): string {
  if (path.startsWith("~/")) return join(userHome(env), path.slice(2));
  return isAbsolute(path) || command === undefined ? resolve(path) : resolve(dirname(realpathSync(command)), path);
}
