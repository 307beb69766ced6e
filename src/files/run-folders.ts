import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeRunDirectory } from "./host-directory.ts";

/** The folders of one process, in one directory that is removed with it. */
export type RunFolders = {
  /** What has to be removed so far. */
  readonly made: readonly string[];
  /** Creates a folder with access for its owner only: the files of the plan, a home, or a directory for temporary files. */
  make(name: "files" | "home" | "tmp"): string;
};

/** The folders of the process of a run in the directory of its host; nothing is created before the first folder. */
export function runFolders(host: string, run: string): RunFolders {
  const made: string[] = [];
  return {
    made,
    make: (name) => {
      if (made.length === 0) made.push(makeRunDirectory(host, run));
      const path = join(made[0] ?? "", name);
      mkdirSync(path, { mode: 0o700 });
      return path;
    },
  };
}
