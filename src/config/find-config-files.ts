import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { isFile, projectFolders } from "../request/project/scan-project.ts";
import type { ProviderOrigin } from "../spec/provider/provider-facts.ts";

const PROJECT_FILE = "coxswain.config.json";

/** The user's configuration file, and the nearest of the project up to the repository's root; outside of one only in `cwd`. */
export function findConfigFiles(cwd: string, env: Readonly<Record<string, string | undefined>>): readonly ProviderOrigin[] {
  const user = userFile(env);
  const project = projectFolders(resolve(cwd))
    .map((folder) => join(folder, PROJECT_FILE))
    .find(isFile);
  return [
    ...(user !== undefined && isFile(user) ? [{ path: user, scope: "user" } as const] : []),
    ...(project === undefined ? [] : [{ path: project, scope: "project" } as const]),
  ];
}

/** Undefined without an absolute home: with a relative one the file of a project would count as the user's own. */
function userFile(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const isPlace = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);
  const home = [env["HOME"], env["USERPROFILE"], homedir()].find(isPlace);
  const base = process.platform === "win32" ? env["APPDATA"] : env["XDG_CONFIG_HOME"];
  const folder = isPlace(base) ? base : home && join(home, ".config");
  return folder && join(folder, "coxswain", "config.json");
}
