import { parseTarget } from "../run/parse-targets.ts";
import type { Provider } from "../spec/provider.ts";
import type { Target } from "../spec/request.ts";
import type { AskOptions } from "./ask-options.ts";
import { findProvider } from "./find-provider.ts";
import { UsageError } from "./usage-error.ts";

/** The targets in order; at least one. */
export type Targets = readonly [Target, ...Target[]];

type TargetOptions = Pick<AskOptions, "provider" | "model" | "fallback">;

/** Parses `--provider id,id/model,…` with `--model` and `--no-fallback`; undefined when no provider is named. */
export function readProviderOption(providers: readonly Provider[], options: TargetOptions): Targets | undefined {
  if (options.provider === undefined) return undefined;
  const [first, ...others] = options.provider.split(",").map((part) => readPart(providers, part.trim()));
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
