import { InvalidArgumentError } from "@ai-sdk/provider";
import { didYouMean } from "../../spec/nearest-name.ts";
import type { RunRequest, Target } from "../../spec/request.ts";

/** The AI SDK's types of JSON have no readonly lists. */
type Writable<Type> = Type extends readonly (infer Item)[]
  ? Writable<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Writable<Type[Key]> }
    : Type;

/** The fields of a request that the AI SDK's own options fill. */
type OfTheSdk = "prompt" | "messages" | "images" | "tools" | "toolChoice" | "invalidCalls" | "outputSchema" | "maxOutputTokens";

/**
 * The settings of a call below `providerOptions.coxswain`: those of a request that the AI SDK has no option for, such as `mode`, `cwd`,
 * `permissions` or `session`, and the login and the transport of the target.
 */
export type CoxswainProviderOptions = Writable<
  Partial<Omit<RunRequest, OfTheSdk | "metadata"> & Pick<Target, "profile" | "transport">>
>;

const NAMES: Readonly<Record<keyof CoxswainProviderOptions, true>> = {
  system: true,
  systemMode: true,
  mode: true,
  cwd: true,
  addDirs: true,
  permissions: true,
  backgroundTasks: true,
  session: true,
  mcpServers: true,
  maxTurns: true,
  effort: true,
  env: true,
  auth: true,
  strict: true,
  onPermissionDenied: true,
  timeouts: true,
  hostTools: true,
  threadEncoding: true,
  budget: true,
  maxWaitMs: true,
  profile: true,
  transport: true,
};

/** Returns the settings; throws an InvalidArgumentError that names a setting which does not exist. */
export function readProviderOptions(given: unknown, place: string): CoxswainProviderOptions {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InvalidArgumentError({ argument: place, message: `${place} must be an object.` });
  const names = Object.keys(NAMES);
  const unknown = Object.keys(given).find((name) => !names.includes(name) && Reflect.get(given, name) !== undefined);
  if (unknown === undefined) return given;
  const message = `${place} has no setting ${JSON.stringify(unknown)}. ${didYouMean(unknown, names)}`.trim();
  throw new InvalidArgumentError({ argument: `${place}.${unknown}`, message });
}
