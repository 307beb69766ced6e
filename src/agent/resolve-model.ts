import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { toChatModel } from "../adapters/langchain/adapter-chat-model.ts";
import { ChatCli } from "../adapters/langchain/chat-cli.ts";
import { withoutResult } from "../adapters/langchain/refusal.ts";
import type { Subject } from "../compatibility/matrix.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import { thrownCode, thrownMessage } from "../spec/failure/failure.ts";
import type { AgentOptions } from "./agent-options.ts";
import { nameOf } from "./agent-run.ts";

const CLI = "cli:";

export type ModelSource = {
  /** The provider and the model that a run names. */
  readonly target: ResolvedTarget;
  /** What features of agents are asked of: the CLI of the model, or any chat model of LangChain. */
  readonly subject: () => Subject | undefined;
  /** The chat model; a name of LangChain is resolved once, at the first call that succeeds. */
  open(): Promise<BaseChatModel>;
};

/** Finds the model of an agent; only a name of LangChain has to be resolved later. */
export function createModelSource({ model, client }: AgentOptions): ModelSource {
  if (typeof model === "string" && !model.startsWith(CLI)) return fromName(model);
  const chat = typeof model === "string" ? chatCli(model.slice(CLI.length), client) : toChatModel(model);
  const [provider, name] = chat instanceof ChatCli ? [chat.provider, chat.model] : [chat._llmType(), nameOf(chat)];
  return {
    target: toTarget(provider, name),
    subject: () => (chat instanceof ChatCli ? chat.cli : "langchain"),
    open: async () => chat,
  };
}

function chatCli(provider: string, client: AgentOptions["client"]): BaseChatModel {
  return client === undefined ? toChatModel(provider) : new ChatCli({ provider, client });
}

function fromName(name: string): ModelSource {
  const [provider = "", ...rest] = name.split(":");
  let resolved: Promise<BaseChatModel> | undefined;
  return {
    target: toTarget(provider, rest.length === 0 ? undefined : rest.join(":")),
    subject: () => "langchain",
    open() {
      resolved ??= fromLangChain(name).catch((error: unknown) => {
        resolved = undefined;
        throw error;
      });
      return resolved;
    },
  };
}

function toTarget(provider: string, model: string | undefined): ResolvedTarget {
  return { target: { provider, ...(model !== undefined && { model }) }, id: provider };
}

/** The model that LangChain knows by this name. Its package is optional, so it is loaded only here. */
async function fromLangChain(name: string): Promise<BaseChatModel> {
  const hint = `To use a CLI, write "${CLI}claude" or "${CLI}claude/sonnet".`;
  const { initChatModel } = await import("langchain").catch((error: unknown) => {
    if (thrownCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw withoutResult("provider-unknown", `The model "${name}" needs the package langchain, which is not installed.`, { hint });
  });
  try {
    return await initChatModel(name);
  } catch (error) {
    throw withoutResult("provider-unknown", `LangChain cannot load the model "${name}": ${thrownMessage(error)}`, { hint });
  }
}
