import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrokenPrograms } from "./soak-providers.ts";

/** The variable that marks all processes of a soak. */
export const SOAK_MARK = "SOAK_MARK";

/** The directories of a soak and the marker of its processes. */
export type SoakPlace = {
  readonly directory: string;
  readonly mark: string;
  readonly broken: BrokenPrograms;
  /** The directory for temporary files of the product. */
  readonly temporary: string;
  /** The environment of a client with this state directory. */
  env(state: string): Readonly<Record<string, string | undefined>>;
  /** The directory of the quota files of that state directory. */
  quotaDirectory(state: string): string;
  remove(): void;
};

/** Creates the directory of a soak; temporary files of the product are in it until it is removed. */
export function openSoakPlace(): SoakPlace {
  const directory = mkdtempSync(join(tmpdir(), "soak-"));
  const mark = randomUUID();
  const temporary = join(directory, "temporary");
  mkdirSync(temporary);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  return {
    directory,
    mark,
    broken: makeBrokenPrograms(join(directory, "broken")),
    temporary,
    env: (state) => ({ ...process.env, XDG_STATE_HOME: join(directory, state), [SOAK_MARK]: mark }),
    quotaDirectory: (state) => join(directory, state, "coxswain", "quota"),
    remove() {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function makeBrokenPrograms(directory: string): BrokenPrograms {
  mkdirSync(directory);
  const path = (name: string): string => join(directory, name);
  const script = (name: string, interpreter: string): string => {
    writeFileSync(path(name), `#!${interpreter}\n`);
    chmodSync(path(name), 0o755);
    return path(name);
  };
  writeFileSync(path("plain"), "no program\n");
  symlinkSync(path("loop"), path("loop"));
  return {
    absent: path("absent"),
    plain: path("plain"),
    orphaned: script("orphaned", path("no-interpreter")),
    misled: script("misled", path("plain")),
    looping: script("looping", path("loop")),
  };
}
