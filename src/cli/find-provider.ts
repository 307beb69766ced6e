import type { Client } from "../client.ts";
import { locate } from "../launch/find-cli.ts";
import { type Names, type ResolvedTargets, resolveTargets, targetsOf } from "../request/targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Targets } from "../spec/request.ts";
import type { Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/** The provider that a name means; a chain and a name with a model are more than that, and usage errors. */
export function namedProvider(names: Names, name: string): Provider {
  const [{ target, provider }, ...others] = resolve(names, name);
  if (others.length === 0 && target.model === undefined) return provider;
  throw new UsageError(`"${name}" means more than a CLI.`, `Name the CLI alone: ${provider.id}`);
}

export function namedProviders(names: Names, given: readonly string[]): readonly Provider[] {
  return [...new Set(given.map((name) => namedProvider(names, name)))];
}

/** What names mean to a client. */
export function namesOf(client: Client): Names {
  return { ...client, isInstalled: ({ id }) => client.locate(id) !== undefined };
}

/** The targets of a name; an unknown one is a usage error, which tells the place of the name unless that is the command line. */
function resolve(names: Names, name: string, where = ""): ResolvedTargets {
  const found = resolveTargets(name, names);
  if (!("code" in found)) return found;
  throw new UsageError(
    found.message.replace(/\.$/, () => `${where}.`),
    found.hint,
  );
}

/** The first real CLI that is installed; never the built-in rehearsal or a CLI of a project's configuration. */
export function firstInstalled(providers: readonly Provider[]): Provider | Failure {
  const real = providers.filter(({ binary, origin }) => "names" in binary && origin?.scope !== "project");
  const installed = real.find((provider) => installedPath(provider) !== undefined);
  if (installed !== undefined) return installed;
  const names = real.map((provider) => provider.id).join(", ");
  const install = real.map((provider) => provider.install).find((command) => command !== undefined && command !== "");
  return createFailure("cli-missing", `No supported AI CLI is installed (searched for: ${names}).`, {
    hint: `Install one${install === undefined ? "" : ` (${install})`}, or use --provider rehearsal, which needs no account`,
  });
}

export function installedPath(provider: Provider): string | undefined {
  const found = locate(provider, process.env);
  if (!("command" in found)) return undefined;
  // Programs of this package are scripts for Node.
  return "names" in provider.binary ? found.command : found.prefixArgs.at(-1);
}

/** Without a provider cox asks the first installed CLI alone: a prompt never goes to a second vendor that the user did not choose. */
export function installedTarget(providers: readonly Provider[], { model }: Settings): Targets | { readonly failure: Failure } {
  const provider = firstInstalled(providers);
  if (!("id" in provider)) return { failure: provider };
  return [defined({ provider: provider.id, model: model?.value })];
}

/** The targets of the settings, with the model of the first; undefined when no provider is named. */
export function readTargets(names: Names, settings: Settings, usesFallback: boolean): Targets | undefined {
  const { provider: setting, model } = settings;
  if (setting === undefined) return undefined;
  const { value, from } = setting;
  const isOfProject = from.kind === "project";
  const where = from.kind === "option" ? "" : ` (${from.label})`;
  // A project's file names no alias of the user: decision 21.
  const found = resolve(isOfProject ? { ...names, aliases: {} } : names, value, where);
  if (isOfProject) for (const { provider } of found) checkProjectChoice(provider, from.label);
  const [first, ...others] = targetsOf(found);
  if (model !== undefined && model.from.kind === from.kind && first.model !== undefined)
    throw new UsageError(`${model.from.label} ${model.value} and ${from.label} ${value} contradict each other.`, ONE_PLACE);
  return [{ ...first, ...defined({ model: model?.value }) }, ...(usesFallback ? others : [])];
}

const ONE_PLACE = "Name the model in one place.";

/** A stranger's project must not start its own program, nor a CLI whose tools work in a run that should have none: decision 21. */
function checkProjectChoice({ id, origin, traits }: Provider, label: string): void {
  if (origin === undefined && traits.ownTools === "off") return;
  throw new UsageError(
    `${label} cannot choose ${id}: a project may choose only a built-in CLI whose own tools can be switched off.`,
    `Choose it yourself with --provider ${id}.`,
  );
}
