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
