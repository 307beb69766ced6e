import type { Failure } from "./failure/failure.ts";
import type { Fix, ProviderOrigin, Requirements } from "./provider/provider-facts.ts";
import type { Usage } from "./wire/usage.ts";

/** A warning about a CLI that can still be used. */
export type HealthWarning = Fix & {
  readonly code:
    | "cli-newer"
    | "cli-older"
    | "version-unknown"
    | "api-key-first"
    | "login-ended"
    | "model-needed"
    | "path-relative"
    | "processes-hidden"
    | "guardian-missing";
  /** One line: what was found. */
  readonly message: string;
  /** One line: what it means and what to do. */
  readonly hint: string;
};

/** Whether a CLI can be started: its program, its requirements, its version and its working directory. */
export type EnvironmentReport = {
  readonly provider: string;
  readonly label: string;
  /** True when there are no failures. */
  readonly usable: boolean;
  /** The path of the program, if it was found. */
  readonly command?: string;
  readonly version?: string;
  /** Each reason why the CLI cannot be used, with a hint. */
  readonly failures: readonly Failure[];
  readonly warnings: readonly HealthWarning[];
  readonly origin?: ProviderOrigin;
};

/** The login state, as far as it can be found out without a model request. */
export type LoginReport = {
  readonly state: "logged-in" | "logged-out" | "unknown" | "not-needed";
  readonly by?: "command" | "file" | "environment";
  /** Names of the variables with API keys that the CLI will see. */
  readonly keys: readonly string[];
};

/** The result of the tiny request of a deep check. */
export type DeepReport = {
  readonly answered: boolean;
  readonly text: string;
  readonly durationMs: number;
  readonly usage?: Usage;
};

export type HealthReport = EnvironmentReport & {
  readonly login: LoginReport;
  /** Present when a request was made. */
  readonly deep?: DeepReport;
  readonly durationMs: number;
};

export type ModelReport = {
  readonly provider: string;
  readonly label: string;
  readonly models: readonly string[];
  /** The model that Coxswain chooses; without it the CLI chooses. */
  readonly defaultModel?: string;
  /** `cli`: the CLI listed them. `built-in`: they are those that Coxswain knows, and the account may have others. */
  readonly source: "cli" | "built-in";
  /** Why the CLI did not list its models, though it can. */
  readonly failure?: Failure;
};

/** Options of `validateEnvironment`. */
export type EnvironmentOptions = {
  /** The working directory; not checked by default. */
  readonly cwd?: string;
  /** Files and programs that the caller's agent needs, besides those of the CLI. */
  readonly requires?: Requirements;
  /** How long a program may take to print its version; 10 s by default. */
  readonly timeoutMs?: number;
};

/** Options of `check`. */
export type HealthOptions = EnvironmentOptions & {
  /** Makes a tiny model request, which has its normal cost. */
  readonly deep?: boolean;
  /** The timeout of that request; 60 s by default. */
  readonly deepTimeoutMs?: number;
};
