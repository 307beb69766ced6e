import type { FailureCode } from "../failure/failure-codes.ts";
import type { JsonObject } from "../json.ts";
import type { Permissions, PromptRequest } from "../request.ts";

/** The environment of a CLI without the variables that its launch sets. */
export type Surroundings = Readonly<Record<string, string | undefined>>;

/** Why a CLI cannot execute a request. */
export type Refusal = {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
  readonly fixCommand?: string;
};

/** A settings file of a CLI: in its home, which a variable may name, or at an absolute path. */
export type SettingsFile = { readonly variable?: string; readonly folder: string; readonly name: string };

/** What a completion takes over of the user's settings: where and as whom the CLI talks. */
export type Connection = {
  /** Variables that the CLI would set itself; they are added to the inherited environment, so that no plan contains them. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the launch of the provider needs. */
  readonly taken?: JsonObject;
  /** Texts of `taken` that may contain a secret, as commands do: no printed plan has them. */
  readonly secrets?: readonly string[];
  /** The model that the user has configured. */
  readonly model?: string;
  /** True if the CLI has what the service of the settings asks for, and no login of its own is needed. */
  readonly needsNoLogin?: boolean;
};

/** What `read` gets besides the settings. */
export type ConnectionAbout = {
  readonly request: PromptRequest;
  /** The model that the target names. */
  readonly model: string | undefined;
  readonly env: Surroundings;
  /** The paths of the files, in their order. */
  readonly paths: readonly string[];
};

/** The connection settings of a CLI whose completions do not read the user's settings. */
export type ConnectionSettings = {
  readonly files: readonly SettingsFile[];
  /** Picks the connection settings of the files, or refuses one that a completion cannot keep to. */
  readonly read: (settings: readonly (JsonObject | undefined)[], about: ConnectionAbout) => Connection | Refusal;
};

/** The JSON Schemas that a CLI or its service takes; Coxswain translates or leaves out the rest and validates the answer itself. */
export type SchemaDialect = {
  /** The keywords that are taken; without a list all of draft 2020-12 are. */
  readonly keywords?: readonly string[];
  /** The values of `format` that are taken; none by default. Only with `keywords`. */
  readonly formats?: readonly string[];
  /** `object`: any other root, and a choice at the root, is wrapped as `{ "value": … }`. */
  readonly root: "object" | "any";
  /** `closed`: objects have only the keys that are named, and all of them; an optional key is `null` instead of absent. Only with `keywords`. */
  readonly objects?: "open" | "closed";
};

/** The host tools that a CLI can offer as tools of its own. */
export type NativeTools = {
  /** The names that reach the model as they are, with the arguments of their calls; a tool with any other name gets another one. */
  readonly names: RegExp;
  /** The CLI cuts a longer description. */
  readonly descriptionLength: number;
  /** True if the CLI passes on the description of a schema whole; a description that it would cut then goes there. */
  readonly keepsSchemaDescription?: true;
  /** The CLI cuts or replaces a longer result. */
  readonly resultBytes: number;
  /** Whether the CLI takes tools with this schema; any object schema by default. */
  readonly takes?: (parameters: JsonObject) => boolean;
  /** True if the wire reports when all calls of a message are known, so that the turn can wait for a later run. */
  readonly canPark: boolean;
  /** The CLI's name for a tool of an MCP server; present if the calls come by the bridge instead of the wire. */
  readonly bridgeName?: (server: string, tool: string) => string;
  /** What the bridge tells the model about its tools, by the CLI's names; for a CLI whose model does not see the tools themselves. */
  readonly instructions?: (names: readonly string[]) => string;
  /** True if the CLI's list of tools has those of the bridge that reach the model. */
  readonly areListed?: true;
  /** The arguments that the CLI adds to every tool; the caller does not get them. */
  readonly addedArguments?: readonly string[];
  /** The environment variables whose proxy the CLI also asks for the bridge, whatever NO_PROXY says; with one of them the tools go by text. */
  readonly proxyVariables?: readonly string[];
  /** False if only a completion can have them. */
  readonly forAgents?: false;
  /** The names of the CLI's own tools, which an agent has; a host tool with one of them gets another name there. */
  readonly ownNames?: RegExp;
};

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
  /** A kind of login that the vendor has ended; a check warns of it. */
  readonly ended?: EndedLogin;
};

/** A kind of login that the vendor has ended, and how it shows without reading a secret. */
export type EndedLogin = {
  /** The file that such a login leaves; only its existence is checked. */
  readonly file: SettingsFile;
  /** Whether the CLI uses it, as far as can be known; `taken` is that of the connection settings. */
  readonly isInUse: (signs: { readonly hasFile: boolean; readonly env: Surroundings; readonly taken: JsonObject }) => boolean;
  /** One line: what was found, with the words of the vendor. */
  readonly message: string;
  /** One line: which login works. */
  readonly hint: string;
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
