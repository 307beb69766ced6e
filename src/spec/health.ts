import type { Failure } from "./failure.ts";
import type { ProviderOrigin } from "./provider-facts.ts";
import type { Usage } from "./usage.ts";

/** Something that is worth knowing about a CLI and keeps nobody from using it. */
export type HealthWarning = {
  readonly code: "cli-newer" | "cli-older" | "version-unknown" | "api-key-first" | "model-needed";
  /** One line: what it is. */
  readonly message: string;
  /** One line: what it means and what to do. */
  readonly hint: string;
  /** A command that puts an end to it, where one exists. */
  readonly fixCommand?: string;
};

/** Whether a CLI can be started here: its program, what it needs, its version, and the directory it is to work in. */
export type EnvironmentReport = {
  readonly provider: string;
  readonly label: string;
  /** False when there is any failure. */
  readonly usable: boolean;
  /** The program, if it was found. */
  readonly command?: string;
  readonly version?: string;
  /** Each reason why it cannot be used, with what to do about it. */
  readonly failures: readonly Failure[];
  readonly warnings: readonly HealthWarning[];
  readonly origin?: ProviderOrigin;
};

/** Whether somebody is logged in, as far as can be told without a request. */
export type LoginReport = {
  readonly state: "logged-in" | "logged-out" | "unknown" | "not-needed";
  /** What told so. */
  readonly by?: "command" | "file" | "environment";
  /** Names of the variables with API keys that the CLI will see. */
  readonly keys: readonly string[];
};

/** What became of a tiny request. */
export type DeepReport = {
  readonly answered: boolean;
  readonly text: string;
  readonly durationMs: number;
  readonly usage?: Usage;
};

/** Everything that is known about the health of a CLI. */
export type HealthReport = EnvironmentReport & {
  readonly login: LoginReport;
  /** Given when a request was made. */
  readonly deep?: DeepReport;
  readonly durationMs: number;
};

/** What `validateEnvironment` may be told. */
export type EnvironmentOptions = {
  /** Where the CLI is to work; not looked at by default. */
  readonly cwd?: string;
  /** How long a program may take to say its version; 10 s by default. */
  readonly timeoutMs?: number;
};

/** What `check` may be told. */
export type HealthOptions = EnvironmentOptions & {
  /** Makes a tiny real request, which costs what such a request costs. */
  readonly deep?: boolean;
  /** How long that may take; 60 s by default. */
  readonly deepTimeoutMs?: number;
};
