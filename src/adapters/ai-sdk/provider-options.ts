import { InvalidArgumentError } from "@ai-sdk/provider";
import { didYouMean, REQUEST_FIELDS } from "../../spec/fields.ts";
import type { RunRequest, Target } from "../../spec/request.ts";

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
