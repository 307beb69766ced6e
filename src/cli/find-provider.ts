import type { Client } from "../client.ts";
import { parseTarget } from "../run/parse-targets.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { Target } from "../spec/request.ts";
import type { AskOptions } from "./ask-options.ts";
import { UsageError } from "./usage-error.ts";

/** The provider with this id or alias; an unknown one is a usage error. */
export function findProvider(providers: readonly Provider[], name: string): Provider {
  const found = providers.find((provider) => provider.id === name || provider.aliases.includes(name));
  if (found !== undefined) return found;
  const known = providers.map((provider) => provider.id).join(", ");
  throw new UsageError(`There is no provider "${name}".`, `Choose one of: ${known}.`);
}

/** The first real CLI that is installed; never the built-in rehearsal or a CLI of a project's configuration. */
export function firstInstalled(client: Client): Provider | Failure {
  const real = client.providers.filter(({ binary, origin }) => "names" in binary && origin?.scope !== "project");
  const installed = real.find((provider) => client.locate(provider.id) !== undefined);
  if (installed !== undefined) return installed;
  const names = real.map((provider) => provider.id).join(", ");
  const first = real[0];
  return createFailure("cli-missing", `No supported AI CLI is installed (searched for: ${names}).`, {
    hint: `Install one${first === undefined ? "" : ` (${first.install})`}, or use --provider rehearsal, which needs no account`,
  });
}

/** The targets in order; at least one. */
export type Targets = readonly [Target, ...Target[]];

/** Parses `--provider id,id/model,…` with `--model` and `--no-fallback`; undefined when no provider is named. */
export function readProviderOption(providers: readonly Provider[], options: AskOptions): Targets | undefined {
  const parts = options.provider?.split(",") ?? [];
  const [first, ...others] = parts.map((part) => readPart(providers, part.trim()));
  if (first === undefined) return undefined;
  return [withModel(first, options.model), ...(options.fallback ? others : [])];
}

function readPart(providers: readonly Provider[], part: string): Target {
  const hint = "Write id or id/model, separated by commas: claude/opus,codex";
  if (part === "") throw new UsageError("--provider has an empty entry.", hint);
  const target = parsePart(part, hint);
  return { ...target, provider: findProvider(providers, target.provider).id };
}

function parsePart(part: string, hint: string): Target {
  try {
    return parseTarget(part);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, hint);
    throw error;
  }
}

function withModel(first: Target, model: string | undefined): Target {
  if (model === undefined) return first;
  if (first.model === undefined) return { ...first, model };
  throw new UsageError(
    `--model ${model} and --provider ${first.provider}/${first.model} contradict each other.`,
    "Name the model in one place.",
  );
}
