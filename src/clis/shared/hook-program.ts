import type { JsonObject } from "../../spec/json.ts";
import { pathOf, type TempFile } from "../../spec/provider/launch-plan.ts";

/** A hook of one run: its program, the variables that name it, and the command line that starts it in a POSIX shell. */
export type HookProgram = {
  readonly file: TempFile;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
};

/** A program of Node as a hook, with its settings in place of the word SETTINGS. A call runs only if the program ends with exit code 0. */
export function hookProgram(name: string, program: string, settings: JsonObject): HookProgram {
  const file: TempFile = { name: `${name}.cjs`, content: program.replace("SETTINGS", () => JSON.stringify(settings)) };
  const variable = `COXSWAIN_${name.replaceAll("-", "_").toUpperCase()}`;
  return {
    file,
    env: { COXSWAIN_NODE: process.execPath, [variable]: pathOf(file) },
    command: `set --; ${IN_TIME}; NODE_OPTIONS= "$@" "$COXSWAIN_NODE" "$${variable}" || { ${DENIES}; }`,
  };
}

/** A command line that denies every call. Qwen Code runs a call whose hook exits with code 2 and says nothing. */
export const DENIES = "echo 'The call is not allowed.' >&2; exit 2";

/**
 * Qwen Code (0.15.10, 0.24.4) waits 60 s for its hooks and then runs the call, so that a program that hangs is killed before, where the system has `timeout`.
 * The program itself takes 50 ms.
 */
const IN_TIME = "command -v timeout >/dev/null && set -- timeout -s KILL 30";
