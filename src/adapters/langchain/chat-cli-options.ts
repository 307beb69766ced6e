import type { BaseChatModelCallOptions, BaseChatModelParams, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { Client } from "../../client.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { ToolDefinition } from "../../spec/tool.ts";

/** What a chat model is made from. */
export type ChatCliFields = Omit<BaseChatModelParams, "maxRetries" | "maxConcurrency" | "onFailedAttempt"> & {
  /** Which CLI: `claude`, `codex`, or any other provider of the client; `claude/opus` names its model too. */
  readonly provider: string;
  readonly model?: string | undefined;
  /** Whose processes they are; by default a client of this module, shared by all models. */
  readonly client?: Client;
  /** Settings for every call, such as `timeouts`, `effort`, `system` or `env`. */
  readonly request?: Partial<Omit<RunRequest, "prompt" | "messages" | "tools" | "toolChoice">>;
};

/** What a single call may be told, besides LangChain's own options. */
export type ChatCliCallOptions = BaseChatModelCallOptions & {
  tools?: readonly (ToolDefinition | BindToolsInput)[];
  /** JSON Schema of the answer. */
  outputSchema?: JsonObject;
  /** The same in OpenAI's shape, as agents pass it. */
  response_format?: { type: string; json_schema?: { schema?: unknown } };
};
