import type { FallbackOptions } from "../spec/client-options.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { checkNames, didYouMean, type Fields } from "../spec/fields.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target, TargetChoice, Targets } from "../spec/request.ts";

/** The names of chains of targets, such as `best` for `claude/opus,codex`. */
export type Aliases = Readonly<Record<string, string>>;

/** What the names of a caller can mean. */
export type Names = {
  readonly providers: readonly Provider[];
  readonly aliases?: Aliases;
  /** Of several CLIs for a vendor's model the first installed one is asked. */
  readonly isInstalled?: (provider: Provider) => boolean;
};

/** A target whose provider is known; the target has the provider's id, also if the caller named an alias of it. */
export type ResolvedTarget = { readonly target: Target; readonly provider: Provider };

export type ResolvedTargets = readonly [ResolvedTarget, ...ResolvedTarget[]];

/** The targets of a run, or what was asked and why it means none. */
export type AskedTargets = ResolvedTargets | { readonly failure: Failure; readonly asked: string };

/** The most characters of a name: it goes into headers, logs and the arguments of a CLI, and each part of a chain is an attempt. */
const LONGEST_NAME = 500;

/**
 * Finds the targets of names, the same for the client and all doors. A name is an alias, a provider's id, `id/model`, a chain of these with
 * commas, or a vendor's own id of a model such as `claude-opus-4-5`. An alias wins over all others. A name that means nothing is a
 * failure; anything but a text or an object with a provider throws a TypeError.
 */
export function resolveTargets(choice: TargetChoice | readonly TargetChoice[], names: Names): ResolvedTargets | Failure {
  const choices: readonly TargetChoice[] = Array.isArray(choice) ? choice : [choice as TargetChoice];
  if (choices.length === 0) throw new TypeError("A run needs at least one target.");
  const found: ResolvedTarget[] = [];
  for (const each of choices) {
    const targets = typeof each === "string" ? readName(each, names) : readObject(each, names);
    if ("code" in targets) return targets;
    found.push(...targets);
  }
  const [first, ...others] = found;
  return first === undefined ? unknownName("", names) : [first, ...others];
}

function readName(name: string, names: Names): readonly ResolvedTarget[] | Failure {
  if (name.length > LONGEST_NAME) return unknownName(name, names);
  const found: ResolvedTarget[] = [];
  for (const part of partsOf(name, names)) {
    const target = readPart(part, names);
    if (target === undefined) return unknownName(part, names, name);
    found.push(target);
  }
  return found;
}

/** The parts of a chain, with each alias replaced by its own; what an alias stands for has no other aliases. */
function partsOf(chain: string, { aliases = {} }: Names): readonly string[] {
  const parts = chain.split(",").map((part) => part.trim());
  return parts.flatMap((part) =>
    Object.hasOwn(aliases, part) ? (aliases[part] ?? "").split(",").map((each) => each.trim()) : part,
  );
}

function readPart(name: string, names: Names): ResolvedTarget | undefined {
  const { providers, isInstalled = () => true } = names;
  const [id = "", ...rest] = name.split("/");
  if (name.endsWith("/")) return undefined;
  const provider = findProvider(names, id);
  const makers = providers.filter(({ vendorModels }) => vendorModels?.test(name));
  // A search of PATH takes longer than all the rest.
  const maker = makers.length > 1 ? (makers.find(isInstalled) ?? makers[0]) : makers[0];
  // A stranger's project must not catch the prompts that are meant for a vendor's model: decision 13.
  const isCaught = provider?.origin?.scope === "project" && maker !== undefined;
  if (provider === undefined || isCaught) return maker && { target: { provider: maker.id, model: name }, provider: maker };
  return { target: defined({ provider: provider.id, model: rest.join("/") || undefined }), provider };
}

const TARGET: Fields<Target> = { provider: true, model: true, profile: true, transport: true, requires: true };

function readObject(target: Target, names: Names): ResolvedTargets | Failure {
  checkTarget(target);
  const provider = findProvider(names, target.provider);
  if (provider === undefined) return unknownName(target.provider, { providers: names.providers });
  return [{ target: provider.id === target.provider ? target : { ...target, provider: provider.id }, provider }];
}

/** Throws a TypeError if the target is no object, has an unknown field, or a field of a wrong type. */
export function checkTarget(target: Target): void {
  if (typeof target !== "object" || target === null || typeof target.provider !== "string")
    throw new TypeError("A target is a provider's id, id/model, another name of a model, or an object with a provider.");
  checkNames("target", target, TARGET);
  for (const name of ["model", "profile"] as const) {
    if (target[name] !== undefined && typeof target[name] !== "string")
      throw new TypeError(`The ${name} of a target must be a string.`);
  }
  if (target.model !== undefined && target.model.trim() === "")
    throw new TypeError("The model of a target is blank; leave it out for the default.");
}

/** `chain` is the name that the caller gave, if it is another one. */
function unknownName(name: string, { providers, aliases = {} }: Names, chain = name): Failure {
  const others = providers.flatMap((provider) => provider.aliases);
  const choices = [...new Set([...Object.keys(aliases), ...providers.map(({ id }) => id)])];
  const candidates = [...choices, ...others].filter((candidate) => candidate !== name);
  const suggestion = didYouMean(name.split("/")[0] ?? name, candidates);
  const place = chain === name ? "" : ` (in "${chain}")`;
  const hint = `${suggestion} Choose one of: ${choices.join(", ")}; with a model: ${providers[0]?.id ?? "claude"}/MODEL.`.trim();
  return createFailure("provider-unknown", `${problemOf(name)}${place}.`, { hint });
}

function problemOf(name: string): string {
  if (name.length > LONGEST_NAME) return `The name "${name.slice(0, 60)}…" has more than ${LONGEST_NAME} characters`;
  if (name === "") return "The name of a provider or model is empty";
  if (name.startsWith("/")) return `The name "${name}" has no provider before its slash`;
  return name.endsWith("/") ? `The name "${name}" has no model after its slash` : `There is no provider or model "${name}"`;
}

export function findProvider({ providers }: Pick<Names, "providers">, name: string): Provider | undefined {
  return providers.find(({ id, aliases }) => id === name || aliases.includes(name));
}

/** Returns the name itself if no provider has it as its id or alias. */
export function providerIdOf(names: Pick<Names, "providers">, name: string): string {
  return findProvider(names, name)?.id ?? name;
}

/** What a caller wrote, in one line. */
export function wordsOf(choice: TargetChoice | readonly TargetChoice[]): string {
  return [choice]
    .flat()
    .map((each) => (typeof each === "string" ? each : each.provider))
    .join(",");
}

export function targetsOf([first, ...others]: ResolvedTargets): Targets {
  return [first.target, ...others.map(({ target }) => target)];
}

/** The model that the CLI of a target is asked for; undefined if the CLI chooses its own. */
export function modelOf({ target, provider }: ResolvedTarget): string | undefined {
  return target.model ?? provider.defaultModel;
}

/** The targets with each model replaced by its provider's name for it. */
export function mapModels(targets: ResolvedTargets, names: Names, { models = {} }: FallbackOptions): ResolvedTargets {
  const [first, ...others] = targets;
  const map = ({ target, provider }: ResolvedTarget): ResolvedTarget => {
    const name = target.model ?? first.target.model;
    const known = name !== undefined && Object.hasOwn(models, name) ? models[name] : undefined;
    const mapped = Object.entries(known ?? {}).find(([id]) => providerIdOf(names, id) === provider.id)?.[1];
    return { target: defined({ ...target, model: mapped ?? target.model }), provider };
  };
  return [map(first), ...others.map(map)];
}
