import { createHash } from "node:crypto";
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownDirectory, replaceFile, stateDirectory } from "../files/state-directory.ts";
import { isJsonObject, type JsonValue } from "../spec/json.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";

/** A project as a person judges it: its directory, the CLIs that would work there, and what they would start. */
export type JudgedProject = { readonly cwd: string; readonly clis: readonly string[]; readonly programs: readonly string[] };

const FOLDER = "projects";

/** The answer that was given for this project; undefined if there is none, or if something else would start by now. */
export function rememberedTrust(env: Surroundings, project: JudgedProject): boolean | undefined {
  try {
    const stored: JsonValue = JSON.parse(readFileSync(placeOf(stateDirectory(env), project), "utf8"));
    if (!isJsonObject(stored) || typeof stored["isTrusted"] !== "boolean") return undefined;
    const isSame = stored["directory"] === realpathSync(project.cwd) && sameText(stored["programs"], project.programs);
    return isSame ? stored["isTrusted"] : undefined;
  } catch {
    return undefined;
  }
}

function sameText(stored: JsonValue | undefined, programs: readonly string[]): boolean {
  return JSON.stringify(stored) === JSON.stringify(programs);
}

/** Throws if the state directory cannot be used. */
export function rememberTrust(env: Surroundings, project: JudgedProject, isTrusted: boolean): void {
  ownDirectory(env, FOLDER);
  const directory = realpathSync(project.cwd);
  const content = { directory, clis: project.clis, programs: project.programs, isTrusted };
  replaceFile(placeOf(stateDirectory(env), project), `${JSON.stringify(content, null, 2)}\n`);
}

export function forgetTrust(env: Surroundings, project: Omit<JudgedProject, "programs">): void {
  rmSync(placeOf(stateDirectory(env), project), { force: true });
}

function placeOf(state: string, { cwd, clis }: Omit<JudgedProject, "programs">): string {
  const key = createHash("sha256").update(JSON.stringify([realpathSync(cwd), clis]));
  return join(state, FOLDER, `${key.digest("hex").slice(0, 32)}.json`);
}
