/** A file that exists only for one run; readable by its owner alone and removed afterwards. */
export type TempFile = { readonly name: string; readonly content: string; readonly encoding?: "utf8" | "base64" };

/** Stands in an argument for the path of a temporary file; no text of a user can hold it, because no argument may hold a NUL. */
export function pathOf(file: TempFile): string {
  return `\0${file.name}\0`;
}

/** What goes to the CLI's stdin, and when stdin is closed. */
export type StdinPlan = {
  readonly text: string;
  /** `now`: right after writing. `turn-end`: after the CLI's terminal event, because it may still ask. */
  readonly close: "now" | "turn-end";
};

/**
 * A home of its own for the CLI, so that it finds none of the user's instructions, skills and settings; its login is linked
 * in by name, never read or copied.
 */
export type PrivateHome = {
  /** The variable that names the CLI's home. */
  readonly variable: string;
  /** Where that is when the variable is not set, below the user's home. */
  readonly folder: string;
  /** The files of the login. */
  readonly links: readonly string[];
};

/** Everything needed to start one CLI process, as data: it can be printed, compared and reviewed. */
export type LaunchPlan = {
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
  readonly stdin: StdinPlan;
  readonly tempFiles: readonly TempFile[];
};
