import {
  InvalidArgumentError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FunctionTool,
  type SharedV4Warning,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { EFFORTS, type EffortName, findSampling } from "../../doors/vendor-settings.ts";
import { splitSystem } from "../../prompts/to-prompt.ts";
import { didYouMean, REQUEST_FIELDS } from "../../spec/fields.ts";
import { defined, type JsonObject } from "../../spec/json.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/message.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import { toMessages } from "./to-messages.ts";

/** A call of the AI SDK as a request, and what could not be part of it. */
export type Call = {
  readonly request: RunRequest;
  /** What the call changes in the targets of its model. */
  readonly target: Pick<Target, "profile" | "transport">;
  readonly stop: readonly string[];
  readonly warnings: readonly SharedV4Warning[];
};

/** Throws an error of the AI SDK if the options cannot be honoured. Each setting of the call replaces a default. */
export function readCall(options: LanguageModelV4CallOptions, defaults: CoxswainProviderOptions): Call {
  const own = readProviderOptions(options.providerOptions?.["coxswain"], "providerOptions.coxswain");
  const { profile, transport, ...settings } = { ...defaults, ...own };
  const effort = settings.effort ?? toEffort(options.reasoning);
  const conversation = splitSystem(toMessages(options.prompt));
  const system = [settings.system, conversation.system].filter((text) => text !== undefined).join("\n\n");
  const { maxOutputTokens, stopSequences = [] } = options;
  const outputSchema = schemaOf(options.responseFormat);
  const warnings = warningsOf(options);
  const [left] = warnings;
  if (settings.strict === true && left !== undefined && "feature" in left)
    throw new UnsupportedFunctionalityError({ functionality: left.feature });
  return {
    request: {
      ...settings,
      messages: conversation.messages,
      ...(system !== "" && { system }),
      ...defined({ effort, maxOutputTokens, outputSchema }),
      ...toolsOf(options),
    },
    target: { ...(profile !== undefined && { profile }), ...(transport !== undefined && { transport }) },
    stop: stopSequences,
    warnings,
  };
}

/** JSON without a schema is any JSON value. */
function schemaOf(format: LanguageModelV4CallOptions["responseFormat"]): JsonObject | undefined {
  if (format?.type !== "json") return undefined;
  const { schema = {}, description } = format;
  return { ...(description !== undefined && { description }), ...(schema as JsonObject) };
}

/** The calls go back to the AI SDK, which decides about invalid ones. */
function toolsOf({ tools = [], toolChoice }: LanguageModelV4CallOptions): Partial<RunRequest> {
  const functions = tools.flatMap((tool) => (tool.type === "function" ? [toDefinition(tool)] : []));
  return functions.length === 0 ? {} : { tools: functions, toolChoice: toChoice(toolChoice), invalidCalls: "return" };
}

function toDefinition({ name, description, inputSchema }: LanguageModelV4FunctionTool): ToolDefinition {
  return { name, ...(description !== undefined && { description }), parameters: inputSchema as JsonObject };
}

function toChoice(choice: LanguageModelV4CallOptions["toolChoice"]): ToolChoice {
  if (choice === undefined) return "auto";
  return choice.type === "tool" ? { name: choice.toolName } : choice.type;
}

function toEffort(reasoning: LanguageModelV4CallOptions["reasoning"] = "provider-default"): RunRequest["effort"] {
  return reasoning === "provider-default" ? undefined : EFFORTS[reasoning];
}

function warningsOf(options: LanguageModelV4CallOptions): readonly SharedV4Warning[] {
  const { tools = [], reasoning } = options;
  const details = "The CLIs have no such setting.";
  const isNearest = reasoning === "none" || reasoning === "minimal" || reasoning === "xhigh";
  return [
    ...findSampling(options).map((feature) => ({ type: "unsupported" as const, feature, details })),
    ...tools.flatMap((tool) => (tool.type === "provider" ? [providerTool(tool.id)] : [])),
    ...(isNearest ? [nearestEffort(reasoning)] : []),
  ];
}

function providerTool(id: string): SharedV4Warning {
  const details = "It runs on the servers of a vendor. In agent mode a CLI has tools of its own.";
  return { type: "unsupported", feature: `provider-defined tool ${id}`, details };
}

function nearestEffort(reasoning: EffortName): SharedV4Warning {
  const details = `The CLIs have no effort ${reasoning}; ${EFFORTS[reasoning]} is used.`;
  return { type: "compatibility", feature: "reasoning", details };
}

/** The AI SDK's types of JSON have no readonly lists. */
type Writable<Type> = Type extends readonly (infer Item)[]
  ? Writable<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Writable<Type[Key]> }
    : Type;

/** The fields of a request that the AI SDK's own options fill, and `metadata`, which the AI SDK does not show. */
const OF_THE_SDK = {
  prompt: true,
  messages: true,
  images: true,
  tools: true,
  toolChoice: true,
  invalidCalls: true,
  outputSchema: true,
  maxOutputTokens: true,
  metadata: true,
} as const;

/**
 * The settings of a call below `providerOptions.coxswain`: those of a request that the AI SDK has no option for, such as `mode`, `cwd`,
 * `permissions` or `session`, and the login and the transport of the target.
 */
export type CoxswainProviderOptions = Writable<
  Partial<Omit<RunRequest, keyof typeof OF_THE_SDK> & Pick<Target, "profile" | "transport">>
>;

const NAMES: readonly string[] = [
  ...Object.keys(REQUEST_FIELDS).filter((name) => !Object.hasOwn(OF_THE_SDK, name)),
  ...["profile", "transport"],
];

/** Returns the settings; throws an InvalidArgumentError that names a setting which does not exist. */
export function readProviderOptions(given: unknown, place: string): CoxswainProviderOptions {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InvalidArgumentError({ argument: place, message: `${place} must be an object.` });
  const unknown = Object.keys(given).find((name) => !NAMES.includes(name) && Reflect.get(given, name) !== undefined);
  if (unknown === undefined) return given;
  const message = `${place} has no setting ${JSON.stringify(unknown)}. ${didYouMean(unknown, NAMES)}`.trim();
  throw new InvalidArgumentError({ argument: `${place}.${unknown}`, message });
}
