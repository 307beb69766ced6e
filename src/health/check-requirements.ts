import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { userHome } from "../files/state-directory.ts";
import { findBinary } from "../process/child/find-program.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { checkNames, type Fields } from "../spec/fields.ts";
import type { Requirements, Surroundings } from "../spec/provider/provider-facts.ts";

export type Needs = { readonly who: string; readonly requires: Requirements | undefined };

const FIELDS: Fields<Requirements> = { files: true, binaries: true };

/** Throws a TypeError if the requirements of a caller are no lists of texts under the two names. */
export function checkRequirementTypes(requires: unknown): void {
  if (requires === undefined) return;
  if (typeof requires !== "object" || requires === null || Array.isArray(requires))
    throw new TypeError("requires must be an object with files, binaries or both.");
  checkNames("requires", requires, FIELDS);
  for (const [name, list] of Object.entries(requires))
    if (list !== undefined && !(Array.isArray(list) && list.every((item) => typeof item === "string" && item !== "")))
      throw new TypeError(`requires.${name} must be a list of strings that are not empty.`);
}

/** One failure for each file or program that is needed and that does not exist; it names the path. */
export function checkRequirements({ who, requires }: Needs, command: string | undefined, env: Surroundings): readonly Failure[] {
  const { files = [], binaries = [] } = requires ?? {};
  const placeOf = (path: string): string => place(path, command, env);
  return [
    ...binaries.flatMap((name) => missingProgram(who, name.includes("/") ? placeOf(name) : name, env)),
    ...files.map(placeOf).flatMap((path) => (existsSync(path) ? [] : [missingFile(who, path)])),
  ];
}

function missingProgram(who: string, name: string, env: Surroundings): readonly Failure[] {
  const found = findBinary({ names: [name] }, env);
  if (!("missing" in found)) return [];
  if (found.missing === "not-executable")
    return [createFailure("cli-not-executable", `${who} needs ${found.looked}, which is not executable.`)];
  const where = isAbsolute(name) ? `at ${name}` : "on PATH";
  const hint = `Install ${name} so that it is found ${where}.`;
  return [createFailure("cli-missing", `${who} needs the program ${name}, which was not found ${where}.`, { hint })];
}

function missingFile(who: string, path: string): Failure {
  const details = { hint: `Put the file at ${path}.` };
  return createFailure("cli-misconfigured", `${who} needs the file ${path}, which does not exist.`, details);
}

function place(path: string, command: string | undefined, env: Surroundings): string {
  if (path.startsWith("~/")) return join(userHome(env), path.slice(2));
  return isAbsolute(path) || command === undefined ? resolve(path) : resolve(dirname(realpathSync(command)), path);
}
