import { dirname, resolve } from "node:path";
import type { ExtractionRules } from "../dialects/generic/extraction.ts";
import { createJsonEvents, createJsonObject } from "../dialects/generic/json-events.ts";
import { trimmedText } from "../dialects/generic/plain-text.ts";
import { defined } from "../spec/json.ts";
import type { VersionRange } from "../spec/provider/cli-data.ts";
import type { FaultRule, LaunchOptions, LaunchParts, Provider } from "../spec/provider/provider.ts";
import type { ProviderOrigin, Refusal, Requirements } from "../spec/provider/provider-facts.ts";
import type { PromptRequest, Timeouts } from "../spec/request.ts";
import { noInput, type SimpleWire, withInput } from "../spec/wire/define-wire.ts";
import type { OutputFormat } from "../spec/wire/wire.ts";

/** Linux takes at most 128 KiB for one argument. */
const LONGEST_ARGUMENT = 131_071;
const LONGEST_INPUT = 10 * 1024 * 1024;
const PATIENCE_MS = 600_000;

/** The provider for a valid entry: that of a configuration file, or one in code, whose relative command begins at the current directory. */
export function toProvider(entry: ConfigEntry, origin?: ProviderOrigin): Provider {
  const { providerId: id, label = id, install = "", outputFormat = "text", promptFlag = "" } = entry;
  const { login, defaultModel, versionsChecked, requires } = entry;
  const isArgument = entry.promptStyle === "arg";
  return {
    id,
    aliases: [],
    label,
    binary: { names: [/[\\/]/.test(entry.command) ? resolve(folderOf(origin), entry.command) : entry.command] },
    install,
    traits: {
      streaming: outputFormat === "stream-json" ? "message" : "none",
      reasoning: false,
      systemPrompt: "none",
      ownTools: "restrict",
      usage: outputFormat === "text" ? "none" : "turn",
      cost: false,
    },
    options: entry.maxTokensFlag === undefined ? [] : ["max-output-tokens"],
    env: { set: {}, strip: [], apiKeys: entry.apiKeys ?? [] },
    transports: {
      spawn: {
        launch: (request, options) => launch(entry, request, options),
        wire: toWire(outputFormat, entry),
        limits: { promptBytes: isArgument ? LONGEST_ARGUMENT - Buffer.byteLength(promptFlag) - 1 : LONGEST_INPUT },
        stopSignal: "SIGTERM",
      },
    },
    refuse: (request, options) => refuse(entry, label, request, options.model),
    faults: (entry.errors ?? []).map(toFaultRule),
    limitations: limitationsOf(entry),
    models: (entry.models ?? []).map(({ modelId }) => modelId),
    ...defined({ login, defaultModel, versionsChecked, requires, origin }),
    timeouts: toTimeouts(outputFormat, entry.timeout),
  };
}

function folderOf(origin: ProviderOrigin | undefined): string {
  return origin === undefined ? "." : dirname(origin.path);
}

const LIMITATIONS: readonly string[] = [
  "It comes from a configuration entry: Coxswain does not switch off its tools, project files and memory.",
  "Coxswain does not know how it interprets @path, /word and the like in a prompt.",
];

/** Names what an entry states and the program is not told, because a caller would count on it. */
function limitationsOf({ promptStyle, defaultModel, modelFlag, maxTokens, maxTokensFlag }: ConfigEntry): readonly string[] {
  return [
    ...LIMITATIONS,
    ...(promptStyle === "arg" ? [PROMPT_IN_ARGUMENTS] : []),
    ...(defaultModel === undefined || modelFlag !== undefined ? [] : [unsaid("defaultModel", "modelFlag")]),
    ...(maxTokens === undefined || maxTokensFlag !== undefined ? [] : [unsaid("maxTokens", "maxTokensFlag")]),
  ];
}

function unsaid(field: string, flag: string): string {
  return `Its entry has ${field} and no ${flag}, so the program is not told of it.`;
}

const PROMPT_IN_ARGUMENTS = "The prompt is passed as an argument, which other users of the machine can see.";

function launch(entry: ConfigEntry, { prompt, maxOutputTokens }: PromptRequest, { model }: LaunchOptions): LaunchParts {
  const { defaultArgs = [], modelFlag, maxTokensFlag, maxTokens } = entry;
  const tokens = maxOutputTokens ?? maxTokens;
  const args = [
    ...defaultArgs,
    ...(modelFlag === undefined || model === undefined ? [] : [modelFlag, model]),
    ...(maxTokensFlag === undefined || tokens === undefined ? [] : [maxTokensFlag, String(tokens)]),
  ];
  return { args: entry.promptStyle === "arg" ? [...args, ...promptArguments(entry, prompt)] : args };
}

/** The prompt is the last argument, so that neither an option before it nor its own first letter changes its meaning. */
function promptArguments({ promptFlag, endOfOptions = true }: ConfigEntry, prompt: string): readonly string[] {
  if (promptFlag === undefined) return endOfOptions ? ["--", prompt] : [prompt];
  return promptFlag.startsWith("--") ? [`${promptFlag}=${prompt}`] : [promptFlag, prompt];
}

function refuse(entry: ConfigEntry, label: string, request: PromptRequest, model: string | undefined): Refusal | undefined {
  const { promptStyle, promptFlag, endOfOptions = true } = entry;
  if (model !== undefined && entry.modelFlag === undefined && model !== entry.defaultModel)
    return { code: "option-unsupported", message: `${label} does not support choosing a model: its entry has no modelFlag.` };
  if (request.permissions?.mode !== undefined)
    return { code: "option-unsupported", message: `${label} does not support permission modes.` };
  const isSafe = promptStyle !== "arg" || (promptFlag === undefined ? endOfOptions : promptFlag.startsWith("--"));
  if (isSafe || !request.prompt.startsWith("-")) return undefined;
  return {
    code: "prompt-malformed",
    message: `${label} would parse a prompt that begins with "-" as an option.`,
    hint: "Begin the prompt with a word.",
  };
}

function toWire(format: OutputFormat, entry: ConfigEntry): SimpleWire {
  const wire = readingWire(format, entry);
  return entry.promptStyle === "arg" ? withInput(wire, noInput) : wire;
}

function readingWire(format: OutputFormat, { extraction = {} }: ConfigEntry): SimpleWire {
  if (format === "text") return trimmedText;
  const { end, ...paths } = extraction;
  const lists = Object.entries(paths).map(([name, path]: [string, ConfigPaths]) => [name, [path].flat()]);
  const rules: ExtractionRules = { ...Object.fromEntries(lists), ...defined({ end }) };
  return format === "json" ? createJsonObject(rules) : createJsonEvents(rules);
}

function toFaultRule({ text, ...rule }: NonNullable<ConfigEntry["errors"]>[number]): FaultRule {
  return { ...rule, ...defined({ text: text === undefined ? undefined : new RegExp(text, "i") }) };
}

/** A CLI with the format text or json prints nothing before its end, so its idle timeout is that of a whole run. */
function toTimeouts(format: OutputFormat, timeout: number | undefined): Timeouts {
  if (timeout !== undefined) return { totalMs: timeout, idleMs: timeout };
  return format === "stream-json" ? {} : { idleMs: PATIENCE_MS };
}

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
