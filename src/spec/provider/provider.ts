import type { FailureCategory, FailureCode } from "../failure/failure-codes.ts";
import type { JsonObject } from "../json.ts";
import type { McpServers, PromptRequest, RunMode, Timeouts } from "../request.ts";
import type { Wire } from "../wire/wire.ts";
import type { CliTraits, HomeFile, PrivateHome, RequestOption, TempFile, VersionRange } from "./cli-data.ts";
import type {
  AdministratorSetting,
  ConnectionSettings,
  LoginStatus,
  ModelList,
  ModelWords,
  NativeTools,
  ProjectStart,
  ProviderOrigin,
  Refusal,
  Requirements,
  SchemaDialect,
  Surroundings,
  TranscriptPlace,
} from "./provider-facts.ts";

/** The program of a CLI: found by name on PATH, or a script of this package that is run with the current Node. */
export type Binary =
  | {
      readonly names: readonly string[];
      /** Paths of the native program behind an npm launcher, by `platform-arch`, relative to the launcher's real directory. */
      readonly native?: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly script: URL }
  /** A program of this package, by its path below the code; it is searched when it is needed, because a bundle may lack it. */
  | { readonly own: "rehearsal/rehearsal-cli" };

/** The part of a launch that the provider decides; its wire decides what goes to stdin. */
export type LaunchParts = {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tempFiles?: readonly TempFile[];
  /** Files for the private home; only for a provider with one home for each run. */
  readonly homeFiles?: readonly HomeFile[];
  /** Names of directories that the CLI may leave empty in an agent's working directory. */
  readonly leftovers?: readonly string[];
};

/** What `launch` gets besides the request. */
export type LaunchOptions = {
  readonly model?: string;
  /** True if the host answers permission requests. */
  readonly answersPermissions: boolean;
  /** The environment, for decisions that depend on it, such as which login is used. */
  readonly env?: Surroundings;
  /** What a completion takes over of the connection settings (`Connection.taken`). */
  readonly connection?: JsonObject;
};

/** MCP servers in the form that one CLI takes. */
export type McpConfig = {
  /** The option, variable or settings file of the CLI by which it gets the content. */
  readonly place: string;
  readonly content: string;
  /** The variables that the content refers to, if the content itself must not have secrets. */
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * A rule that maps a fault to a failure code. All conditions that it has must hold; the first rule that holds is used. When a process
 * fails without a turn end, each rule is tried on all lines of stderr before the next rule.
 */
export type FaultRule = {
  /** The CLI's own name of the error. */
  readonly kind?: string;
  readonly status?: number;
  /** The exit code of the process; it never holds while the process runs. */
  readonly exitCode?: number;
  readonly text?: RegExp;
  readonly code: FailureCode;
  /** Replaces the CLI's message if that does not explain the failure (a help text, a stack trace). */
  readonly message?: string;
  readonly hint?: string;
  /** Replaces the command that usually mends such a failure; null if none does. */
  readonly fixCommand?: string | null;
};

/** The number of repetitions by the category of the failure; none for a category that is not listed. */
export type SilentRetries = Readonly<Partial<Record<FailureCategory, number>>>;

/** One way to talk to a CLI: how its process is started and stopped, its wire and its limits. */
export type Transport = {
  readonly launch: (request: PromptRequest, options: LaunchOptions) => LaunchParts;
  readonly wire: Wire;
  /** `file` for a CLI that exits before its pipe is drained; `pipe` by default. */
  readonly stdout?: "pipe" | "file";
  /** The longest prompt in bytes and, if the CLI limits them, in characters (code points). */
  readonly limits: { readonly promptBytes: number; readonly promptCharacters?: number };
  /** The first signal when the process is stopped; SIGTERM and SIGKILL follow. */
  readonly stopSignal: "SIGINT" | "SIGTERM";
  /** Present if host tools can be native. */
  readonly nativeTools?: NativeTools;
  /** True if the wire sends a conversation as messages of the model's API (`conversation`), with calls and their results. */
  readonly takesMessages?: true;
  /** True if `launch` passes `budget.usd` to a CLI that ends a turn with tools by itself when it has cost so much. */
  readonly limitsCost?: true;
  /** True if the process keeps the conversation of a completion, so that its wire can continue it, and the next prompt is as inert as the first. */
  readonly keepsConversation?: true;
};

/**
 * A way to talk to a process that takes several turns. Its `launch` contains only what the process cannot be told later: requests with
 * the same launch share a process.
 */
export type ResidentTransport = Omit<Transport, "limits"> & {
  /** Whether the process answers this request as a new process of `spawn` would: as pure, as inert and with the same settings. */
  readonly serves: (request: PromptRequest, options: LaunchOptions) => boolean;
  /** The traits that differ from those of `spawn`. */
  readonly traits?: Partial<CliTraits>;
  /** The categories of failures about which `spawn` reports more; a new process then repeats the attempt, if nothing was shown. */
  readonly unclearFailures?: readonly FailureCategory[];
  /** False if a process continues only the sessions that it has begun; `spawn` continues all others. */
  readonly resumes?: false;
  /** True if no other process can have a session that this one has loaded. A session of a completion then stays loaded for a moment after an answer. */
  readonly locksSessions?: true;
  /** What a caller loses against `spawn`; then only a target with `transport: "resident"` uses this transport. */
  readonly onlyIfAsked?: string;
};

/** The description of one CLI: data and pure functions. */
export type Provider = {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly label: string;
  readonly binary: Binary;
  readonly install: string;
  readonly login?: string;
  readonly traits: CliTraits;
  /** The request options that the CLI supports; a request with any other is refused before a process is started. */
  readonly options: readonly RequestOption[];
  /** Writes MCP servers in the CLI's own form; a provider without it takes none. */
  readonly mcpConfig?: (servers: McpServers) => McpConfig;
  readonly env: {
    readonly set: Readonly<Record<string, string>>;
    readonly strip: readonly string[];
    /** The variables for API keys; removed when only the CLI's own login may be used. */
    readonly apiKeys: readonly string[];
    /** Other variables that may contain secrets; plans and failures do not show their values. */
    readonly secrets?: readonly string[];
    /** The variable that selects another login. */
    readonly profile?: string;
  };
  /** For a CLI without a flag that prevents it from reading the user's files in completion mode. */
  readonly privateHome?: PrivateHome;
  /** The settings of the user that say where and as whom the CLI talks, if its completions do not read them. */
  readonly connection?: ConnectionSettings;
  readonly transports: { readonly spawn: Transport; readonly resident?: ResidentTransport };
  /** The wires of other output formats of the CLI, for recordings. */
  readonly recordedWires?: readonly Wire[];
  /** Returns a refusal for a request that the CLI would misinterpret; called before a process is started. */
  readonly refuse?: (request: PromptRequest, options: Pick<LaunchOptions, "model" | "env">) => Refusal | undefined;
  readonly faults: readonly FaultRule[];
  /** The JSON Schemas that the CLI's own schema option takes; without it the schema of a request is passed as it is. */
  readonly schemaDialect?: SchemaDialect;
  /** How often the CLI itself repeats a failed request without an event about it; Coxswain counts these as retries of its own. */
  readonly silentRetries?: Readonly<Partial<Record<RunMode, SilentRetries>>>;
  /** The CLI's own tool for structured answers; the only own tool that it may offer in completion mode. */
  readonly objectTool?: string;
  /** The CLI's own tools by which the model finds and calls those of MCP servers; only a completion with servers may offer them. */
  readonly serverTools?: readonly string[];
  /** Matches the CLI's result for a call of a tool that does not exist; nothing ran then. */
  readonly refusedCall?: RegExp;
  /** Matches stderr lines that are unrelated to the end of the run, such as error lines of tools. */
  readonly stderrNoise?: RegExp;
  /** The format of session ids; UUIDs by default. */
  readonly sessionIds?: RegExp;
  /** False if the CLI stores the session of an agent only when the request chooses one. */
  readonly storesAgents?: false;
  /** Where the CLI stores its sessions, if that is known and in files. */
  readonly transcripts?: TranscriptPlace;
  /** What Coxswain cannot prevent the CLI from doing, one sentence each; shown by `cox providers`. */
  readonly limitations?: readonly string[];
  /** The models that are known without asking the CLI; an account may have others. */
  readonly models: readonly string[];
  /** How to ask the CLI for its models, if it can list them. */
  readonly modelList?: ModelList;
  /** The most input tokens of a model, by a word or name within the name of the model; only those that are known. */
  readonly maxInputTokens?: Readonly<Record<string, number>>;
  readonly defaultModel?: string;
  /** When an agent gets no default model and uses the one of the user's settings: always, or if the settings have one. */
  readonly ownAgentModel?: "always" | "if-configured";
  readonly modelWords?: ModelWords;
  /** Matches the vendor's own ids of models, such as `claude-opus-4-5`; doors ask this CLI for them. */
  readonly vendorModels?: RegExp;
  /** The range of versions that this provider was tested with, as `--version` prints them. */
  readonly versionsChecked?: VersionRange;
  /** Changes since a version, the earliest first; all other fields describe the oldest version. */
  readonly changes?: readonly ProviderChange[];
  /** False if the version of the package differs from what `--version` prints. */
  readonly versionInFiles?: false;
  /** Matches the output of `--version`, if another program has the same name. */
  readonly versionPattern?: RegExp;
  readonly loginStatus?: LoginStatus | "not-needed";
  readonly requires?: Requirements;
  readonly timeouts?: Timeouts;
  /** What an agent of the CLI starts because a project's files name it. */
  readonly projectStarts?: readonly ProjectStart[];
  /** A setting of an administrator because of which an agent of an older version is refused. */
  readonly administrator?: AdministratorSetting;
  readonly origin?: ProviderOrigin;
};

/** What differs since a version of the CLI. Its fields replace those of the provider; its variables are added. */
export type ProviderChange = Partial<
  Pick<Transport, "limits" | "nativeTools"> & Pick<Provider, "limitations" | "silentRetries">
> & {
  readonly since: string;
  readonly set?: Readonly<Record<string, string>>;
};

/** Returns a copy of the provider with other fields in its spawn transport; its resident transport is left out, because it would differ. */
export function withSpawn(provider: Provider, parts: Partial<Transport>): Provider {
  return { ...provider, transports: { spawn: { ...provider.transports.spawn, ...parts } } };
}

/** Returns a copy of the provider for a program that cannot call host tools itself; they then go into the prompt. */
export function withoutNativeTools(provider: Provider): Provider {
  const { spawn, resident } = provider.transports;
  const { nativeTools: _, ...plainSpawn } = spawn;
  if (resident === undefined) return { ...provider, transports: { spawn: plainSpawn } };
  const { nativeTools: __, ...plainResident } = resident;
  return { ...provider, transports: { spawn: plainSpawn, resident: plainResident } };
}
