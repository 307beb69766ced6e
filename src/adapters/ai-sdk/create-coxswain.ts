import { type LanguageModelV4, NoSuchModelError, type ProviderV4 } from "@ai-sdk/provider";
import { type Client, createClient } from "../../client.ts";
import { failureSentences } from "../../spec/failure/failure.ts";
import { checkNames, type Fields } from "../../spec/fields.ts";
import type { RunContext } from "../../spec/stream.ts";
import { CliLanguageModel } from "./language-model.ts";
import { type CoxswainProviderOptions, readProviderOptions } from "./read-call.ts";

export type CoxswainOptions = {
  /** The client that runs the CLIs; by default one client of this module, shared by all providers. */
  readonly client?: Client;
  /** The settings of every call; a call replaces each by its own in `providerOptions.coxswain`. */
  readonly defaults?: CoxswainProviderOptions;
  /** Decides about the permission requests of agents. */
  readonly onPermission?: RunContext["onPermission"];
};

const OPTIONS: Fields<CoxswainOptions> = { client: true, defaults: true, onPermission: true };

/**
 * The CLIs as a provider of the AI SDK. Called with a name it gives the model: `claude`, `claude/sonnet`, a chain such as `claude,codex`, an
 * alias, or a vendor's own id of a model.
 */
export type CoxswainProvider = ProviderV4 & ((modelId: string) => LanguageModelV4);

let sharedClient: Client | undefined;

/** Creates a provider for the AI SDK; it starts no process before the first call of a model. */
export function createCoxswain(options: CoxswainOptions = {}): CoxswainProvider {
  checkNames("createCoxswain", options, OPTIONS);
  const defaults = readProviderOptions(options.defaults, "defaults");
  const languageModel = (modelId: string): LanguageModelV4 => openModel(modelId, options, defaults);
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: "v4" as const,
    languageModel,
    embeddingModel: (modelId: string) => refuseModel(modelId, "embeddingModel"),
    imageModel: (modelId: string) => refuseModel(modelId, "imageModel"),
  });
}

export const coxswain: CoxswainProvider = createCoxswain();

function openModel(modelId: string, options: CoxswainOptions, defaults: CoxswainProviderOptions): LanguageModelV4 {
  const { onPermission } = options;
  const client = options.client ?? shareClient();
  const found = client.resolve(modelId);
  if ("failure" in found) {
    const message = failureSentences(found.failure);
    throw new NoSuchModelError({ modelId, modelType: "languageModel", message });
  }
  return new CliLanguageModel(modelId, { client, targets: found.targets, defaults, ...(onPermission && { onPermission }) });
}

function shareClient(): Client {
  sharedClient ??= createClient();
  return sharedClient;
}

function refuseModel(modelId: string, modelType: "embeddingModel" | "imageModel"): never {
  throw new NoSuchModelError({ modelId, modelType, message: `No CLI has an ${modelType}: ${modelId}` });
}
