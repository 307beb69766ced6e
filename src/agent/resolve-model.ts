import { nameOf } from "../adapters/langchain/answer-fields.ts";
import type { ChatCli } from "../adapters/langchain/chat-cli.ts";
import { partsOf, sharedClient } from "../adapters/langchain/cli-provider-options.ts";
import { withoutResult } from "../adapters/langchain/refusal.ts";
import type { Client } from "../client.ts";
import type { Subject } from "../compatibility/matrix.ts";
import { firstTarget } from "../doors/named-targets.ts";
import { findProvider } from "../request/targets.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { Target, Targets } from "../spec/request.ts";
import type { AgentOptions, LangChainModel } from "./agent-options.ts";
import { clientModel } from "./client-model.ts";
import { isMissing, loadLangChain } from "./load-langchain.ts";
import type { AgentModel, AgentTrace, OfferedTool } from "./model/agent-model.ts";

const CLI = "cli:";

export type ModelSource = {
  /** The provider and the model that a run names. */
  readonly target: () => Target;
  /** What features of agents are asked of: the CLI of the model, or any chat model of LangChain. */
  readonly subject: () => Subject | undefined;
  readonly isOfLangChain: boolean;
  /** The model with these tools. Rejects if a name cannot be resolved, or if a package is missing. */
  open(tools: readonly OfferedTool[], trace: AgentTrace | undefined): Promise<AgentModel>;
};

/** Finds the model of an agent; only a name of LangChain has to be resolved later. */
export function createModelSource({ model, client }: AgentOptions): ModelSource {
  if (isTargets(model)) return fromCli(model, client);
  if (typeof model !== "string") return fromObject(model);
  return model.startsWith(CLI) ? fromCli(model.slice(CLI.length), client) : fromName(model);
}

function isTargets(model: AgentOptions["model"]): model is Targets {
  return Array.isArray(model);
}

/** A CLI is asked without LangChain, unless LangChain's callbacks watch the agent. */
function fromCli(choice: string | Targets, given: Client | undefined): ModelSource {
  const openClient = (): Client => given ?? sharedClient();
  const target = (): Target => firstTarget(openClient(), choice);
  return {
    target,
    subject: () => findProvider(openClient(), target().provider),
    isOfLangChain: false,
    open: async (tools, trace) =>
      trace === undefined
        ? clientModel(openClient(), choice, tools)
        : (await loadLangChain("The trace of an agent")).fromCli(choice, openClient(), tools, trace),
  };
}

function fromObject(model: LangChainModel): ModelSource {
  return {
    ...describe(model),
    isOfLangChain: true,
    open: async (tools, trace) => (await loadLangChain("This model", "provider-unknown")).fromChatModel(model, tools, trace),
  };
}

type OtherModel = Parameters<typeof nameOf>[0] & { _llmType(): string };

/** What a model is called without a look into LangChain: one of this package by its CLI, any other by its kind. */
function describe(model: LangChainModel): Pick<ModelSource, "subject" | "target"> {
  const parts = partsOf(model);
  if (parts !== undefined) {
    const target = (): Target => firstTarget(parts.openClient(), parts.name, parts.model);
    return { target, subject: () => findProvider(parts.openClient(), target().provider) };
  }
  const subject = (): Subject => "langchain";
  if (!("_generate" in model)) return { target: () => ({ provider: "coxswain-adapter", model: "AdapterChatModel" }), subject };
  const chat = model as ChatCli | OtherModel;
  if (!("cli" in chat)) return { target: () => ({ provider: chat._llmType(), model: nameOf(chat) }), subject };
  return { target: () => defined({ provider: chat.provider, model: chat.model }), subject: () => chat.cli };
}

function fromName(name: string): ModelSource {
  const [provider = "", ...rest] = name.split(":");
  const model = rest.join(":") || undefined;
  let resolved: Promise<object> | undefined;
  return {
    target: () => defined({ provider, model }),
    subject: () => "langchain",
    isOfLangChain: true,
    async open(tools, trace) {
      resolved ??= initModel(name).catch((error: unknown) => {
        resolved = undefined;
        throw error;
      });
      const chat = await resolved;
      return (await loadLangChain(`The model "${name}"`, "provider-unknown")).fromChatModel(chat, tools, trace);
    },
  };
}

/** The model that LangChain knows by this name. Its package is optional, so it is loaded only here. */
async function initModel(name: string): Promise<object> {
  const hint = `To use a CLI, write "${CLI}claude" or "${CLI}claude/sonnet".`;
  const { initChatModel } = await import("langchain").catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw withoutResult("provider-unknown", `The model "${name}" needs the package langchain, which is not installed.`, { hint });
  });
  try {
    return await initChatModel(name);
  } catch (error) {
    throw withoutResult("provider-unknown", `LangChain cannot load the model "${name}": ${thrownMessage(error)}`, { hint });
  }
}
