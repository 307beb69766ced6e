import { join } from "node:path";
import { userHome } from "../files/state-directory.ts";
import type { Provider, Surroundings } from "../spec/provider/provider.ts";
import { readVariable } from "../spec/text/read-variable.ts";

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
