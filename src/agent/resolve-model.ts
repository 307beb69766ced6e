import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { toChatModel } from "../adapters/langchain/adapter-chat-model.ts";
import { ChatCli } from "../adapters/langchain/chat-cli.ts";
import { withoutResult } from "../adapters/langchain/langchain-error.ts";
import type { ResolvedTarget } from "../run/resolve-target.ts";
import type { Target } from "../spec/request.ts";
import { thrownCode, thrownMessage } from "../spec/thrown.ts";
import type { AgentOptions } from "./agent-options.ts";
import { nameOf } from "./agent-run.ts";

const CLI = "cli:";

/** Returns a function that gives the chat model of an agent; it is resolved once, at the first call that succeeds. */
export function createModelSource({ model, client }: AgentOptions): () => Promise<BaseChatModel> {
  let resolved: Promise<BaseChatModel> | undefined;
  return () => {
    resolved ??= resolve(model, client).catch((error: unknown) => {
      resolved = undefined;
      throw error;
    });
    return resolved;
  };
}

/** The provider and the model that a run of the agent names. */
export function targetOf(model: AgentOptions["model"]): ResolvedTarget {
  const { provider, model: name } = namesOf(model);
  return { target: { provider, ...(name !== undefined && { model: name }) }, id: provider };
}

function namesOf(model: AgentOptions["model"]): Pick<Target, "provider" | "model"> {
  if (typeof model === "string") {
    const isCli = model.startsWith(CLI);
    const [provider = "", ...rest] = isCli ? model.slice(CLI.length).split("/") : model.split(":");
    return { provider, ...(rest.length > 0 && { model: rest.join(isCli ? "/" : ":") }) };
  }
  const chat = toChatModel(model);
  return chat instanceof ChatCli ? (chat.lc_kwargs as Target) : { provider: chat._llmType(), model: nameOf(chat) };
}

async function resolve(model: AgentOptions["model"], client: AgentOptions["client"]): Promise<BaseChatModel> {
  if (typeof model !== "string") return toChatModel(model);
  if (!model.startsWith(CLI)) return await fromLangChain(model);
  const provider = model.slice(CLI.length);
  return client === undefined ? toChatModel(provider) : new ChatCli({ provider, client });
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
