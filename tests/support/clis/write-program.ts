import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes a program that is this shell script; returns its path. */
export function writeProgram(path: string, script = ""): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** The folders of a simulated machine: a home, and a PATH that has only the programs of the test. */
export type MachineFolders = {
  readonly home: string;
  readonly bin: string;
  readonly searchPath: string;
  /** Puts a shell script on the PATH; returns its path. */
  install(name: string, script?: string): string;
};

/** Makes the folders below this one. */
export function makeMachine(folder: string): MachineFolders {
  const [home, bin] = [join(folder, "home"), join(folder, "bin")];
  for (const each of [home, bin]) mkdirSync(each);
  return { home, bin, searchPath: `${bin}:/usr/bin:/bin`, install: (name, script) => writeProgram(join(bin, name), script) };
}
