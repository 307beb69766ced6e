import type { Permissions } from "../request.ts";
import type { SettingsFile } from "./connection.ts";

/** A setting of an administrator with which older versions of a CLI do not keep to the permissions of an agent. */
export type AdministratorSetting = {
  readonly setting: string;
  /** The first version that keeps to them with it; an unknown version counts as an older one. */
  readonly since: string;
  /** Files that may have it, and folders of such files. */
  readonly places: readonly SettingsFile[];
  /** False for permissions to which the CLI keeps with the setting, too. */
  readonly matters: (permissions: Permissions) => boolean;
};

/** A condition on the result of a program: every field given must match. */
export type ProgramSign = { readonly exitCode?: number; readonly text?: RegExp };

/** How to find out whether a CLI is logged in, without a model request and without reading a secret. */
export type LoginStatus = {
  /** Its own status command, if it is quick and needs no network. It is run without API keys in its environment. */
  readonly command?: {
    readonly args: readonly string[];
    readonly loggedIn: ProgramSign;
    readonly loggedOut: ProgramSign;
  };
  /** Files that exist after a login; only their existence is checked. */
  readonly files?: {
    /** The variable that names the CLI's home. */
    readonly variable?: string;
    /** The default of that variable, relative to the user's home. */
    readonly folder: string;
    readonly names: readonly string[];
  };
  /** Variables that are a login by themselves; the API keys by default. */
  readonly env?: readonly string[];
  /** Variables that take precedence over the login when they are set, and may bill another account. */
  readonly keysFirst?: readonly string[];
  /** True if there is no other kind of login: without any of these the CLI is logged out. */
  readonly isComplete?: boolean;
};

/**
 * Files and programs that must exist besides a CLI's own program. A path is absolute, in the user's home (`~/`), or relative to
 * that program.
 */
export type Requirements = { readonly files?: readonly string[]; readonly binaries?: readonly string[] };

/** The configuration file of a provider: the user's own, the project's, or one that the caller named. */
export type ProviderOrigin = { readonly path: string; readonly scope: "user" | "project" | "given" };

/** How a CLI lists its models: a call that needs no login and makes no model request, and the names in what it prints. */
export type ModelList = { readonly args: readonly string[]; readonly read: (stdout: string) => readonly string[] };

/** Words in the names of a CLI's models, in lower case; with them Coxswain finds the models that a limit message is about. */
export type ModelWords = {
  /** Words in the names of most models, which therefore distinguish none. */
  readonly brands: readonly string[];
  /** Words that name a group of models with its own limit. */
  readonly families: readonly string[];
};

/** Where a CLI stores a session. */
export type TranscriptPlace = {
  /** The variable that names the CLI's home, and its default relative to the user's home. */
  readonly variable: string;
  readonly folder: string;
  /**
   * The path in that home as a glob pattern: `<id>` is the id of the session, `<id8>` its first eight characters, and `<cwd>` the
   * working directory with a dash for each character that is no letter or digit.
   */
  readonly path: string;
};

/**
 * A place in a project whose files an agent of a CLI executes, or by which it starts programs. Paths are relative to a folder of the project. A provider lists
 * its places in `projectStarts`: they are shown before a project is trusted and in the warning `project-not-trusted`, and its `launch` keeps the CLI
 * from them unless `trustProject` is true. If no flag keeps the CLI from a place, that place is `unavoidable`: the run is refused where it exists.
 * tests/real/hostile has a row for each CLI, whose plants must leave no mark.
 */
export type ProjectStart = (
  | {
      /** A settings file: JSON with comments, or TOML by its ending. */
      readonly file: string;
      /** The settings that name programs, with dots for those inside of others (`tools.discoveryCommand`); without them the file as such. */
      readonly keys?: readonly string[];
    }
  | {
      /** A folder whose entries are executed. */
      readonly folder: string;
      /** The ending of such entries; any entry by default. */
      readonly ending?: string;
    }
) & {
  readonly unavoidable?: true;
  /** The CLI looks for it in every folder up to the root of the file system; the user's home is not the project's. */
  readonly everyFolder?: true;
};

/** A command that fixes a failure, and the configuration file that the command comes from. */
export type Fix = {
  readonly fixCommand?: string;
  /** The path of that file; absent for a command of Coxswain. */
  readonly fixFrom?: string;
};

/** The fix by a command of a provider, such as the one that installs it; none if the command is empty. */
export function fixBy({ origin }: { readonly origin?: ProviderOrigin }, command: string | undefined): Fix {
  if (command === undefined || command === "") return {};
  return { fixCommand: command, ...(origin !== undefined && { fixFrom: origin.path }) };
}
