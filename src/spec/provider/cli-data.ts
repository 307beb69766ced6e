import type { JsonValue } from "../json.ts";

/**
 * An option of a request besides prompt, system prompt, mode, model and timeouts; a provider lists the options that it supports.
 */
export type RequestOption = (typeof REQUEST_OPTIONS)[number];

export const REQUEST_OPTIONS = [
  "system-append",
  "add-dirs",
  "tool-patterns",
  "denial-reports",
  "background-off",
  "session-id",
  "session-resume",
  "session-fork",
  "mcp-stdio",
  "mcp-http",
  "mcp-sse",
  "mcp-reports",
  "output-schema",
  "max-turns",
  "max-output-tokens",
  "effort",
  "images",
  "profile",
] as const;

/** Traits of a CLI that do not depend on a request option; each provider states them. */
export type CliTraits = {
  readonly streaming: "token" | "message" | "none";
  readonly reasoning: boolean;
  /** What a system prompt of a request does: it replaces the CLI's own, is appended to it, or is not supported. */
  readonly systemPrompt: "replace" | "append" | "none";
  /** Whether the CLI's own tools can be switched off completely, or only restricted. */
  readonly ownTools: "off" | "restrict";
  readonly usage: "turn" | "thread" | "none";
  readonly cost: boolean;
  /** Whether the host can be asked before a tool runs; false by default. */
  readonly permissionRequests?: boolean;
};

/** What a provider supports; used by adapters, `requires` and `cox providers`. */
export type Capabilities = Required<CliTraits> & {
  readonly sessions: boolean;
  /** Whether the CLI can offer host tools as tools of its own; by text they work with every CLI. */
  readonly hostTools: "native" | "text";
  readonly mcp: readonly ("stdio" | "http" | "sse")[];
  readonly structuredOutput: "native" | "text";
  readonly images: boolean;
  readonly resident: boolean;
};

export function capabilitiesOf(provider: {
  readonly traits: CliTraits;
  readonly options: readonly RequestOption[];
  readonly transports?: {
    readonly spawn?: { readonly nativeTools?: object };
    readonly resident?: { readonly traits?: Partial<CliTraits>; readonly nativeTools?: object };
  };
}): Capabilities {
  const { spawn, resident } = provider.transports ?? {};
  const has = (option: RequestOption): boolean => provider.options.includes(option);
  return {
    ...provider.traits,
    permissionRequests: provider.traits.permissionRequests ?? resident?.traits?.permissionRequests ?? false,
    sessions: has("session-resume"),
    hostTools: (spawn?.nativeTools ?? resident?.nativeTools) === undefined ? "text" : "native",
    mcp: (["stdio", "http", "sse"] as const).filter((transport) => has(`mcp-${transport}`)),
    structuredOutput: has("output-schema") ? "native" : "text",
    images: has("images"),
    resident: resident !== undefined,
  };
}

/**
 * The oldest and the newest version of a CLI that a provider was tested with; versions between them are assumed to work alike.
 */
export type VersionRange = { readonly oldest: string; readonly newest: string };

export type VersionPlace = "checked" | "newer" | "older";

export function placeVersion(version: string, { oldest, newest }: VersionRange): VersionPlace {
  if (compareVersions(version, newest) > 0) return "newer";
  return compareVersions(version, oldest) < 0 ? "older" : "checked";
}

/** The range as text: one version, or the first and the last. */
export function describeRange({ oldest, newest }: VersionRange): string {
  return oldest === newest ? newest : `${oldest} to ${newest}`;
}

/** Negative when the first version is older. Suffixes such as `-beta.2` are ignored. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}

/** A file that only its owner can read and that is removed after the run. Its name may contain folders. */
export type TempFile = { readonly name: string; readonly content: string; readonly encoding?: "utf8" | "base64" };

/**
 * A placeholder for the path of a temporary file in an argument or an environment variable. User text cannot contain it,
 * because it may not contain a NUL.
 */
export function pathOf(file: TempFile): string {
  return `\0${file.name}\0`;
}

export type Variables = Readonly<Record<string, string>>;

/** The value of an environment variable; a name such as `constructor`, which every object inherits, is a variable like any other. */
export function readVariable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

/** Adds a private file to those of a launch; returns its path. */
export function addFile(files: TempFile[], name: string, content: string, encoding?: "base64"): string {
  const file: TempFile = { name, content, ...(encoding !== undefined && { encoding }) };
  files.push(file);
  return pathOf(file);
}

/** A placeholder for the directory of the temporary files; the directory is deleted after the run. */
export const RUN_DIRECTORY = "\0.\0";

/** A placeholder for the same path inside a JSON string. */
export function pathInJson(file: TempFile): string {
  return `\0json:${file.name}\0`;
}

/** The value as JSON; any string in it may contain `pathOf` a temporary file, or be `variableOf` another variable. */
export function toJsonWithPaths(value: JsonValue): string {
  return JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u0000(.*?)\\u0000/g, "$1\0json:$2\0");
}

/** A placeholder for the value of another variable, so that a plan contains no secrets. */
export function variableOf(variable: string): string {
  return `\0env:${variable}\0`;
}

/** The same inside a JSON string of a temporary file, as `toJsonWithPaths` writes it. */
export function variableInJson(variable: string): string {
  return `\0json:env:${variable}\0`;
}

/** The text for the CLI's stdin at the start, and when stdin is closed. */
export type StdinPlan = {
  readonly text: string;
  /** `now`: right after writing. `turn-end`: after the CLI's terminal event, because it may ask for permissions before. */
  readonly close: "now" | "turn-end";
};

/** A file that Coxswain writes into a private home; `path` is relative to it, and its folders are created. */
export type HomeFile = { readonly path: string; readonly content: string };

/**
 * A separate home for the CLI, so that it does not find the user's instructions, skills and settings. The files of its login
 * are linked, never read or copied.
 */
export type PrivateHome = {
  /** The variable that names the CLI's home. */
  readonly variable: string;
  /** The default of that variable, relative to the user's home. */
  readonly folder: string;
  /** The login files to link; each may be in a folder. */
  readonly links: readonly string[];
  /**
   * Variables that point to a file in the user's CLI home, for a login file that the CLI replaces: replacing it would break a
   * link.
   */
  readonly pointers?: Readonly<Record<string, string>>;
  /** Other files of the home, such as settings. If they cannot be written, the CLI is not started. */
  readonly files?: readonly HomeFile[];
  /** True if HOME stays the user's home, because other logins are found there. */
  readonly keepsUserHome?: boolean;
  /** True if each run has its own home, which is deleted after the run. */
  readonly forRun?: boolean;
  /** Folders of such a home that its runs share, for the data of sessions. */
  readonly kept?: readonly string[];
  /** Files of such a home that stay empty; what the CLI writes into them is discarded. */
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
  /** `private`: an empty directory that Coxswain creates. */
  readonly cwd: { readonly kind: "private" } | { readonly kind: "given"; readonly path: string };
  readonly home?: PrivateHome;
  /** `file`: a private file that is read as it grows and deleted with the process. */
  readonly stdout: "pipe" | "file";
  readonly tempFiles: readonly TempFile[];
  /** `inherited`: the process has the temporary directory of this host, and not one of its own that is removed with it. */
  readonly temporary?: "inherited";
  /** `inherited`: the files that the process creates have the access that the user chose (umask), and not only for the user. */
  readonly umask?: "inherited";
  /**
   * Directories that the CLI may leave empty in the working directory; those that did not exist before are removed after the
   * run.
   */
  readonly leftovers?: readonly string[];
};

/** A process and its first input; the caller can inspect it before anything is started. */
export type LaunchPlan = ProcessPlan & { readonly stdin: StdinPlan };

/** The process that takes a request: one that is already running if it is warm, otherwise one that is started for it. */
export type PlannedProcess = LaunchPlan & { readonly transport: "spawn" | "resident"; readonly warm: boolean };
