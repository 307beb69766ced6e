import type { BaseChatModelCallOptions, BaseChatModelParams, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { Client } from "../../client.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { ToolDefinition } from "../../spec/tool.ts";

/** The fields of a ChatCli model. */
export type ChatCliFields = Omit<BaseChatModelParams, "maxRetries" | "maxConcurrency" | "onFailedAttempt"> & {
  /** The provider: `claude`, `codex`, or any other of the client; `claude/opus` names its model too. */
  readonly provider: string;
  readonly model?: string | undefined;
  /** The client that runs the CLI; by default one client of this module, shared by all models. */
  readonly client?: Client;
  /** Settings for every call, such as `timeouts`, `effort`, `system` or `env`. */
  readonly request?: Partial<Omit<RunRequest, "prompt" | "messages" | "tools" | "toolChoice">>;
};

/** Options of a single call, besides LangChain's own. */
export type ChatCliCallOptions = BaseChatModelCallOptions & {
  tools?: readonly (ToolDefinition | BindToolsInput)[];
  /** JSON Schema of the answer. */
  outputSchema?: JsonObject;
  /** The same in OpenAI's shape, as agents pass it. */
  response_format?: { type: string; json_schema?: { schema?: unknown } };
};
