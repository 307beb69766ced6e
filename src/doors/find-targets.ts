import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { didYouMean } from "../spec/fields.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";

/** The names of chains of targets, such as `best` for `claude/opus,codex`. */
export type ModelAliases = Readonly<Record<string, string>>;

/** What names of models can mean at a door: the providers of the client, and the user's own names. */
export type ModelNames = {
  readonly providers: readonly Provider[];
  readonly aliases?: ModelAliases;
  /** Whether the CLI of a provider is installed; of several CLIs for a vendor's model the first installed one is asked. */
  readonly isInstalled?: (provider: Provider) => boolean;
};

export type FoundTargets = readonly [Target, ...Target[]];

/** The most characters of a name: it goes into headers, logs and the arguments of a CLI, and each part of a chain is an attempt. */
const LONGEST_NAME = 500;

/**
 * Finds the targets of a model name: an alias, a provider's id, `id/model`, a chain of these with commas, or a vendor's own id of a model
 * such as `claude-opus-4-5`. An alias wins over all others. An unknown name, and one of more than 500 characters, is a failure `model-unknown`.
 */
export function findTargets(name: string, names: ModelNames): FoundTargets | Failure {
  const { aliases = {} } = names;
  if (name.length > LONGEST_NAME) return unknownModel(`${name.slice(0, 60)}…`, [], names);
  const chain = Object.hasOwn(aliases, name) ? (aliases[name] ?? "") : name;
  const parts = chain.split(",").map((part) => part.trim());
  const [first, ...others] = parts.map((part) => findTarget(part, names));
  if (first === undefined || others.includes(undefined)) return unknownModel(name, parts, names);
  return [first, ...others.flatMap((target) => target ?? [])];
}

function findTarget(name: string, { providers, isInstalled = () => true }: ModelNames): Target | undefined {
  const [id = "", ...rest] = name.split("/");
  const provider = providers.find((one) => one.id === id || one.aliases.includes(id));
  const model = rest.join("/");
  if (provider !== undefined) {
    if (rest.length > 0 && model.trim() === "") return undefined;
    return { provider: provider.id, ...(model !== "" && { model }) };
  }
  const makers = providers.filter(({ vendorModels }) => vendorModels?.test(name));
  const maker = makers.find(isInstalled) ?? makers[0];
  return maker === undefined ? undefined : { provider: maker.id, model: name };
}

function unknownModel(name: string, parts: readonly string[], names: ModelNames): Failure {
  const { providers, aliases = {} } = names;
  const unknown = parts.find((part) => findTarget(part, names) === undefined) ?? name;
  const known = [...Object.keys(aliases), ...providers.flatMap(({ id, aliases: others }) => [id, ...others])];
  const ids = [...Object.keys(aliases), ...providers.map(({ id }) => id)].join(", ");
  return createFailure("model-unknown", `There is no model "${unknown}"${unknown === name ? "" : ` (in "${name}")`}.`, {
    hint: `${didYouMean(unknown.split("/")[0] ?? unknown, known)} Name a CLI (${ids}), a CLI and its model (claude/sonnet), or an alias.`.trim(),
  });
}
