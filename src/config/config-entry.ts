import type { ExtractionRules } from "../dialects/generic/extraction.ts";
import type { VersionRange } from "../spec/provider/capabilities.ts";
import type { FaultRule } from "../spec/provider/provider.ts";
import type { Requirements } from "../spec/provider/provider-facts.ts";
import type { OutputFormat } from "../spec/wire/wire.ts";

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
  readonly extraction?: Pick<ExtractionRules, "end"> & { readonly [Value in keyof Omit<ExtractionRules, "end">]?: ConfigPaths };
  readonly errors?: readonly (Pick<FaultRule, "exitCode" | "code" | "hint" | "fixCommand"> & { readonly text?: string })[];
};
