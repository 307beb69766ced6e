import { checkNames } from "../fields.ts";
import { isJsonObject } from "../json.ts";
import { type CliTraits, REQUEST_OPTIONS } from "./cli-data.ts";
import type { Provider, ResidentTransport, Transport } from "./provider.ts";

/** Returns the provider unchanged; throws a TypeError for a field that is unknown, missing or of a wrong type. */
export function defineProvider(provider: Provider): Provider {
  checkFields("provider", provider, PROVIDER);
  const { id, binary, traits, options, env, transports } = provider;
  const { spawn, resident } = transports;
  checkNames(`${id}.binary`, binary, { names: true, native: true, script: true, own: true });
  checkFields(`${id}.traits`, traits, TRAITS);
  checkFields(`${id}.env`, env, ENV);
  checkNames(`${id}.options`, Object.fromEntries(options.map((option) => [option, true])), fields("any", ...REQUEST_OPTIONS));
  checkNames(`${id}.transports`, transports, { spawn: true, resident: true });
  checkFields(`${id}.transports.spawn`, spawn, TRANSPORT);
  if (resident !== undefined) checkFields(`${id}.transports.resident`, resident, TRANSPORT);
  return provider;
}

function checkFields(place: string, value: unknown, shape: Readonly<Record<string, Kind>>): void {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object.`);
  checkNames(place, value, shape);
  for (const [name, kind] of Object.entries(shape)) {
    const given: unknown = value[name];
    const isRight = typeof kind === "string" ? KINDS[kind](given) : kind.includes(given);
    if (isRight || (given === undefined && !REQUIRED.has(name))) continue;
    throw new TypeError(`${place}.${name} must be ${typeof kind === "string" ? kind : kind.join(" or ")}.`);
  }
}

const isText = (value: unknown): boolean => typeof value === "string";
const KINDS = {
  "a text": isText,
  "a list of texts": (value: unknown): boolean => Array.isArray(value) && value.every(isText),
  "a list": Array.isArray,
  "an object": isJsonObject,
  "a function": (value: unknown): boolean => typeof value === "function",
  "a regular expression": (value: unknown): boolean => value instanceof RegExp,
  any: (): boolean => true,
};
/** What a field must be, or the values that it may have. */
type Kind = keyof typeof KINDS | readonly unknown[];
/** A field of the type that has no entry is a type error. */
type Shape<Type> = { readonly [Name in keyof Required<Type>]: Kind };

function fields<Name extends string>(kind: Kind, ...names: readonly Name[]): Readonly<Record<Name, Kind>> {
  return Object.fromEntries(names.map((name) => [name, kind])) as Record<Name, Kind>;
}

const REQUIRED: ReadonlySet<string> = new Set<keyof Provider | keyof Provider["env"] | keyof Transport | keyof CliTraits>([
  ...(["id", "label", "install", "aliases", "models", "options", "faults", "binary", "traits", "env", "transports"] as const),
  ...(["launch", "wire", "streaming", "systemPrompt", "ownTools", "usage", "reasoning", "cost"] as const),
  ...(["set", "strip", "apiKeys"] as const),
]);
const PROVIDER: Shape<Provider> = {
  ...fields("a text", "id", "label", "install", "login", "defaultModel", "objectTool"),
  ...fields("a list of texts", "aliases", "models", "options", "serverTools", "limitations"),
  ...fields("a list", "faults", "recordedWires", "changes", "projectStarts"),
  ...fields("a function", "mcpConfig", "refuse"),
  ...fields("a regular expression", "refusedCall", "stderrNoise", "sessionIds", "vendorModels", "versionPattern"),
  ...fields("an object", "binary", "traits", "env", "transports", "privateHome", "connection", "schemaDialect", "silentRetries"),
  ...fields("an object", "transcripts", "modelList", "modelWords", "maxInputTokens", "versionsChecked", "requires", "timeouts"),
  ...fields("any", "loginStatus", "storesAgents", "versionInFiles", "ownAgentModel", "administrator", "origin"),
};
const TRAITS: Shape<CliTraits> = {
  streaming: ["token", "message", "none"],
  systemPrompt: ["replace", "append", "none"],
  ownTools: ["off", "restrict"],
  usage: ["turn", "thread", "none"],
  ...fields([true, false], "reasoning", "cost", "permissionRequests"),
};
const ENV: Shape<Provider["env"]> = {
  set: "an object",
  ...fields("a list of texts", "strip", "apiKeys", "secrets"),
  profile: "a text",
};
const TRANSPORT: Shape<Transport & ResidentTransport> = {
  ...fields("a function", "launch", "serves"),
  wire: "an object",
  ...fields("any", "stdout", "limits", "stopSignal", "nativeTools", "takesMessages", "limitsCost", "keepsConversation"),
  ...fields("any", "traits", "unclearFailures", "resumes", "locksSessions", "onlyIfAsked"),
};
