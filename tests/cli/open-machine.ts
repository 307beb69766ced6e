import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeMachine } from "../support/clis/write-program.ts";
import { cox, temporaryFolder } from "../support/cox/start-cox.ts";
import type { StartOptions } from "../support/cox/start-program.ts";

/** A machine with folders of its own, in which `doctor` runs cox. */
export type Machine = Disposable & {
  readonly path: string;
  readonly bin: string;
  readonly home: string;
  readonly project: string;
  readonly options: StartOptions;
  /** Puts a shell script on the PATH, by default one that says its version; returns its path. */
  install(name: string, content?: string): string;
  doctor(...args: readonly string[]): ReturnType<typeof cox>;
};

/** A program that says its version and that it is logged in. */
export const VERSION =
  'case "$1" in --version) echo "$VERSION_SAID" ;; auth) echo \'{ "loggedIn": true }\' ;; login) echo "Not logged in" >&2; exit 1 ;; esac';

/** A machine with only the programs that the test installs. */
export function openMachine(env: Readonly<Record<string, string>> = {}): Machine {
  const folder = temporaryFolder();
  const { bin, home, searchPath, install } = makeMachine(folder.path);
  const project = join(folder.path, "project");
  mkdirSync(project);
  const keys = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /API_KEY|^(CLAUDE|CODEX|XDG)/.test(name))
      .map((name) => [name, undefined]),
  );
  const options: StartOptions = {
    cwd: project,
    env: { ...keys, HOME: home, PATH: searchPath, VERSION_SAID: "2.1.197", ...env },
  };
  return {
    ...folder,
    bin,
    home,
    project,
    options,
    install: (name: string, content = VERSION) => install(name, content),
    doctor: (...args: readonly string[]) => cox(["doctor", ...args], options),
  };
}
