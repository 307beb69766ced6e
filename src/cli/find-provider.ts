import { locate } from "../launch/find-cli.ts";
import { choiceOf, parseTarget, type Targets } from "../request/targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";
import type { Setting, Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

export function findProvider(providers: readonly Provider[], name: string, where = ""): Provider {
  const found = providers.find((provider) => provider.id === name || provider.aliases.includes(name));
  if (found !== undefined) return found;
  throw new UsageError(`There is no provider "${name}"${where}.`, choiceOf(providers, name));
}

export function findProviders(providers: readonly Provider[], names: readonly string[]): readonly Provider[] {
  return [...new Set(names.map((name) => findProvider(providers, name)))];
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
export function firstTarget(providers: readonly Provider[], { model }: Settings): Targets | { readonly failure: Failure } {
  const provider = firstInstalled(providers);
  if (!("id" in provider)) return { failure: provider };
  return [defined({ provider: provider.id, model: model?.value })];
}

/** The targets of the settings, `id,id/model,…` with the model of the first; undefined when no provider is named. */
export function readTargets(providers: readonly Provider[], settings: Settings, usesFallback: boolean): Targets | undefined {
  const { provider: setting, model } = settings;
  if (setting === undefined) return undefined;
  const [first, ...others] = setting.value.split(",").map((part) => readPart(providers, part.trim(), setting));
  if (first === undefined) return undefined;
  return [{ ...first, ...defined({ model: model?.value }) }, ...(usesFallback ? others : [])];
}

function readPart(providers: readonly Provider[], part: string, { from }: Setting): Target {
  const hint = "Write id or id/model, separated by commas: claude/opus,codex";
  if (part === "") throw new UsageError(`${from.label} has an empty entry.`, hint);
  const target = parsePart(part, hint);
  const provider = findProvider(providers, target.provider, from.kind === "option" ? "" : ` (${from.label})`);
  if (from.kind === "project") checkProjectChoice(provider, from.label);
  return { ...target, provider: provider.id };
}

/** A stranger's project must not start its own program, nor a CLI whose tools work in a run that should have none: decision 21. */
function checkProjectChoice({ id, origin, traits }: Provider, label: string): void {
  if (origin === undefined && traits.ownTools === "off") return;
  throw new UsageError(
    `${label} cannot choose ${id}: a project may choose only a built-in CLI whose own tools can be switched off.`,
    `Choose it yourself with --provider ${id}.`,
  );
}

function parsePart(part: string, hint: string): Target {
  try {
    return parseTarget(part);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, hint);
    throw error;
  }
}
