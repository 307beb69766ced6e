import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cox, temporaryFolder } from "../support/cox/start-cox.ts";
import type { StartOptions } from "../support/cox/start-program.ts";

/** A machine with folders of its own, in which `doctor` runs cox. */
export type Machine = Disposable & {
  readonly path: string;
  readonly bin: string;
  readonly home: string;
  readonly project: string;
  readonly options: StartOptions;
  install(name: string, content?: string): void;
  script(path: string, content: string): void;
  doctor(...args: readonly string[]): ReturnType<typeof cox>;
};

/** A program that says its version and that it is logged in. */
export const VERSION =
  'case "$1" in --version) echo "$VERSION_SAID" ;; auth) echo \'{ "loggedIn": true }\' ;; login) echo "Not logged in" >&2; exit 1 ;; esac';

/** A machine with only the programs that the test installs. */
export function openMachine(env: Readonly<Record<string, string>> = {}): Machine {
  const folder = temporaryFolder();
  const [bin, home, project] = ["bin", "home", "project"].map((name) => join(folder.path, name)) as [string, string, string];
  for (const path of [bin, home, project]) mkdirSync(path);
  const keys = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /API_KEY|^(CLAUDE|CODEX|XDG)/.test(name))
      .map((name) => [name, undefined]),
  );
  const options: StartOptions = {
    cwd: project,
    env: { ...keys, HOME: home, PATH: `${bin}:/usr/bin:/bin`, VERSION_SAID: "2.1.197", ...env },
  };
  const script = (path: string, content: string): void => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${content}\n`);
    chmodSync(path, 0o755);
  };
  return {
    ...folder,
    bin,
    home,
    project,
    options,
    install: (name: string, content = VERSION) => script(join(bin, name), content),
    script,
    doctor: (...args: readonly string[]) => cox(["doctor", ...args], options),
  };
}
