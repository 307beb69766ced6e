import type { FailureCode } from "../spec/failure-codes.ts";
import type { Requirements } from "../spec/provider-facts.ts";
import type { VersionRange } from "../spec/versions.ts";
import type { OutputFormat } from "../spec/wire.ts";

/** One path or several; the first one with a value is used. */
export type ConfigPaths = string | readonly string[];

/** A simple CLI as a configuration file describes it; config-schema.ts documents each field. */
export type ConfigEntry = {
  readonly providerId: string;
  readonly command: string;
  readonly label?: string;
  readonly install?: string;
  readonly login?: string;
  readonly defaultArgs?: readonly string[];
  readonly outputFormat?: OutputFormat;
  readonly promptStyle?: "stdin" | "arg";
  readonly promptFlag?: string;
  readonly endOfOptions?: boolean;
  readonly models?: readonly { readonly modelId: string; readonly name?: string }[];
  readonly defaultModel?: string;
  readonly modelFlag?: string;
  readonly maxTokens?: number;
  readonly maxTokensFlag?: string;
  readonly timeout?: number;
  readonly apiKeys?: readonly string[];
  readonly versionsChecked?: VersionRange;
  readonly requires?: Requirements;
  readonly extraction?: {
    readonly content?: ConfigPaths;
    readonly error?: ConfigPaths;
    readonly sessionId?: ConfigPaths;
    readonly inputTokens?: ConfigPaths;
    readonly outputTokens?: ConfigPaths;
    readonly end?: Readonly<Record<string, string | number | boolean>>;
  };
  readonly errors?: readonly {
    readonly text?: string;
    readonly exitCode?: number;
    readonly code: FailureCode;
    readonly hint?: string;
    readonly fixCommand?: string;
  }[];
};
