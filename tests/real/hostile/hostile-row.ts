import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FakeToolCall } from "../../../src/testing/index.ts";
import type { CliName } from "../../support/real-clis/rows/cli-row.ts";

/** Gives a shell command that leaves a mark with this label when it is started. */
export type Marks = (label: string) => string;

/**
 * What a hostile project has for one CLI. The owner of a CLI adds its row in a file of this folder and in index.ts; the tests of
 * hostile-project.test.ts are the same for all.
 */
export type HostileRow = {
  readonly name: CliName;
  /** The files of a folder of the project, by their paths; an object is written as JSON. They are planted in `cwd` and in the folder above it. */
  readonly files: (marks: Marks, folder: string) => Readonly<Record<string, string | object>>;
  /** Calls that the model makes, one after the other, for plants that a tool starts. */
  readonly calls?: readonly FakeToolCall[];
  /** The labels that an agent in a trusted project starts; they prove that the plants work. */
  readonly started: readonly string[];
};

/** A hostile project; its root is a repository, and agents work in a folder of it. */
export type HostileProject = {
  readonly cwd: string;
  /** The labels of what was started, those of the root with `root-` in front. */
  readonly started: () => readonly string[];
};

/** Writes the project of a row below a folder. */
export function plantHostile({ files }: HostileRow, folder: string): HostileProject {
  const [root, marked] = [join(folder, "hostile"), join(folder, "marks")];
  const places = { "": join(root, "inner"), "root-": root };
  mkdirSync(marked, { recursive: true });
  for (const [prefix, place] of Object.entries(places)) {
    const marks: Marks = (label) => `touch '${join(marked, prefix + label)}'`;
    for (const [path, content] of Object.entries(files(marks, place))) write(join(place, path), content);
  }
  for (const name of ["objects", "refs"]) mkdirSync(join(root, ".git", name), { recursive: true });
  write(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  return { cwd: places[""], started: () => (existsSync(marked) ? readdirSync(marked).toSorted() : []) };
}

function write(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  const isScript = typeof content === "string" && content.startsWith("#!");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: isScript ? 0o755 : 0o644 });
}
