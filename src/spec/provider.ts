import type { CliTraits, RequestOption } from "./capabilities.ts";
import type { FailureCode } from "./failure-codes.ts";
import type { HomeFile, PrivateHome, TempFile } from "./launch-plan.ts";
import type { LoginStatus, ModelWords, ProviderOrigin, Requirements } from "./provider-facts.ts";
import type { PromptRequest, Timeouts } from "./request.ts";
import type { VersionRange } from "./versions.ts";
import type { Wire } from "./wire.ts";

/** Where the program is: found by name on PATH, or a script of ours run by the Node that runs us. */
export type Binary =
  | {
      readonly names: readonly string[];
      /** Native programs behind an npm launcher, relative to the launcher's real directory, by `platform-arch`. */
      readonly native?: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly script: URL };

/** The part of a launch that a provider decides; what goes to stdin is the business of its wire. */
export type LaunchParts = {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tempFiles?: readonly TempFile[];
  /** Put into the private home, where each run has one of its own. */
  readonly homeFiles?: readonly HomeFile[];
  /** Names of directories that the CLI may leave empty in the directory of an agent. */
  readonly leftovers?: readonly string[];
};

/** The environment that a CLI will have, but for what its launch sets. */
export type Surroundings = Readonly<Record<string, string | undefined>>;

/** What `launch` is told besides the request. */
export type LaunchOptions = {
  readonly model?: string;
  /** True when somebody will answer permission requests. */
  readonly answersPermissions: boolean;
  /** For decisions that depend on what the CLI inherits, such as which login is meant. */
  readonly env?: Surroundings;
};

/** Why a request cannot be made of a CLI. */
export type Refusal = {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
  readonly fixCommand?: string;
};

/**
 * A rule that names a failure; every condition given must hold, the first rule that holds wins. When a process failed without
 * a word about its turn, each rule in turn is tried on all lines of stderr.
 */
export type FaultRule = {
  /** The CLI's own word for the error. */
  readonly kind?: string;
  readonly status?: number;
  /** The exit code of the process, once it has one. */
  readonly exitCode?: number;
  readonly text?: RegExp;
  readonly code: FailureCode;
  /** Said instead of the CLI's own words, where they do not tell what happened (a help text, a stack). */
  readonly message?: string;
  readonly hint?: string;
  readonly fixCommand?: string;
};

/** One way to talk to a CLI: how its process is started and stopped, and what is said on its pipes. */
export type Transport = {
  readonly launch: (request: PromptRequest, options: LaunchOptions) => LaunchParts;
  readonly wire: Wire;
  /** `file` for a CLI that exits before its pipe is drained; `pipe` by default. */
  readonly stdout?: "pipe" | "file";
  /** The longest prompt, in bytes and, where the CLI counts them, in characters (code points). */
  readonly limits: { readonly promptBytes: number; readonly promptCharacters?: number };
  /** Signal sent first when the process is stopped; SIGTERM and SIGKILL follow. */
  readonly stopSignal: "SIGINT" | "SIGTERM";
};

/** Everything Coxswain knows about one CLI: data and pure functions. */
export type Provider = {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly label: string;
  readonly binary: Binary;
  readonly install: string;
  readonly login?: string;
  readonly traits: CliTraits;
  /** What it honours; a request for anything else is refused before anything is started. `capabilitiesOf` reads both. */
  readonly options: readonly RequestOption[];
  readonly env: {
    readonly set: Readonly<Record<string, string>>;
    readonly strip: readonly string[];
    /** Variables that hold API keys; removed when only the CLI's own login may be used. */
    readonly apiKeys: readonly string[];
    /** Variable that points the CLI at another login. */
    readonly profile?: string;
  };
  /** Given where no flag keeps the CLI from reading the user's files in completion mode. */
  readonly privateHome?: PrivateHome;
  /** The ways to talk to the CLI: `spawn` starts a process for each run. */
  readonly transports: { readonly spawn: Transport };
  /** Wires of the other formats that the CLI can print, for recordings. */
  readonly recordedWires?: readonly Wire[];
  /** Asked before anything is started: requests that this CLI would not carry out as they are meant. */
  readonly refuse?: (request: PromptRequest, options: Pick<LaunchOptions, "model" | "env">) => Refusal | undefined;
  readonly faults: readonly FaultRule[];
  /** The tool of its own by which the CLI takes a structured answer; the only one that it may have in completion mode. */
  readonly objectTool?: string;
  /** The words with which the CLI answers a call of a tool that it does not have: nothing ran. */
  readonly refusedCall?: RegExp;
  /** Lines of stderr that say nothing about the run, such as the complaints of its tools. */
  readonly stderrNoise?: RegExp;
  /** What its session ids look like; UUIDs by default. */
  readonly sessionIds?: RegExp;
  /** What this CLI cannot be kept from doing, one sentence each; shown by `cox providers`. */
  readonly limitations?: readonly string[];
  readonly models: readonly string[];
  readonly defaultModel?: string;
  readonly modelWords?: ModelWords;
  /** The range of versions with which this file was proven, as `--version` prints them. */
  readonly versionsChecked?: VersionRange;
  /** What holds from a version on, the earliest first; the other fields are those of the oldest version. */
  readonly changes?: readonly ProviderChange[];
  /** False where the package has another version than `--version` prints. */
  readonly versionInFiles?: false;
  /** What its `--version` prints, where another program has the same name. */
  readonly versionPattern?: RegExp;
  /** How to tell whether somebody is logged in. */
  readonly loginStatus?: LoginStatus | "not-needed";
  /** What it needs besides its own program. */
  readonly requires?: Requirements;
  /** Clocks that run unless a request sets others. */
  readonly timeouts?: Timeouts;
  /** The configuration file that it comes from. */
  readonly origin?: ProviderOrigin;
};

/** What a CLI does otherwise from a version on; each field given takes the place of the provider's, and variables are added to its own. */
export type ProviderChange = Partial<Pick<Transport, "limits"> & Pick<Provider, "limitations">> & {
  readonly since: string;
  readonly set?: Readonly<Record<string, string>>;
};
