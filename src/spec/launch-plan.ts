import type { JsonValue } from "./json.ts";

/** A file that exists only for one run; readable by its owner alone and removed afterwards. Its name may hold folders. */
export type TempFile = { readonly name: string; readonly content: string; readonly encoding?: "utf8" | "base64" };

/**
 * Stands in an argument or in the value of a variable for the path of a temporary file; no text of a user can hold it, because
 * neither may hold a NUL.
 */
export function pathOf(file: TempFile): string {
  return `\0${file.name}\0`;
}

/** Stands for the directory of the temporary files in the same way: what a CLI leaves in it is gone with the run. */
export const RUN_DIRECTORY = "\0.\0";

/** Stands for the same path inside a JSON string. */
export function pathInJson(file: TempFile): string {
  return `\0json:${file.name}\0`;
}

/** The value as JSON; `pathOf` a temporary file may stand in any string of it. */
export function toJsonWithPaths(value: JsonValue): string {
  return JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u0000(.*?)\\u0000/g, "$1\0json:$2\0");
}

/** Is the value of a variable that takes over that of another one: secrets are passed on by name and stand in no plan. */
export function variableOf(variable: string): string {
  return `\0env:${variable}\0`;
}

/** What goes to the CLI's stdin before it has said anything, and when stdin is closed. */
export type StdinPlan = {
  readonly text: string;
  /** `now`: right after writing. `turn-end`: after the CLI's terminal event, because it may still ask. */
  readonly close: "now" | "turn-end";
};

/** A file of ours in a private home; `path` is below the home and may name folders, which are made. */
export type HomeFile = { readonly path: string; readonly content: string };

/**
 * A home of its own for the CLI, so that it finds none of the user's instructions, skills and settings; its login is linked
 * in by name, never read or copied.
 */
export type PrivateHome = {
  /** The variable that names the CLI's home. */
  readonly variable: string;
  /** Where that is when the variable is not set, below the user's home. */
  readonly folder: string;
  /** The files of the login; each may be in a folder. */
  readonly links: readonly string[];
  /** Variables that name a file of the home that the CLI would have had, for a login that it replaces: a link would be lost. */
  readonly pointers?: Readonly<Record<string, string>>;
  /** What the CLI finds besides, such as settings of ours; where it cannot be given nothing is started. */
  readonly files?: readonly HomeFile[];
  /** True where HOME stays the user's own, because other logins are found by it. */
  readonly keepsUserHome?: boolean;
  /** True where each run has a home of its own, which is gone with it. */
  readonly forRun?: boolean;
  /** Folders of such a home that its runs share, as far as they belong to a session. */
  readonly kept?: readonly string[];
  /** Files of such a home that stay empty, whatever the CLI writes into them. */
  readonly sinks?: readonly string[];
};

/** Everything needed to start one process, as data: it can be printed, compared and reviewed. */
export type ProcessPlan = {
  readonly provider: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Set on top of the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Removed from the inherited environment. */
  readonly stripEnv: readonly string[];
  /** `private`: an empty directory of ours. */
  readonly cwd: { readonly kind: "private" } | { readonly kind: "given"; readonly path: string };
  readonly home?: PrivateHome;
  /** `file`: a private file that is read as it grows and is gone with the process. */
  readonly stdout: "pipe" | "file";
  readonly tempFiles: readonly TempFile[];
  /** Directories that the CLI may leave empty in the given one; those that were not there before are removed after the run. */
  readonly leftovers?: readonly string[];
};

/** A process and what it will be told first, as the caller may see it before anything is started. */
export type LaunchPlan = ProcessPlan & { readonly stdin: StdinPlan };
