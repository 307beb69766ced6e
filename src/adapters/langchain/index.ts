export type { CompatibilityOptions } from "../../compatibility/check-compatibility.ts";
export type { Feature } from "../../compatibility/matrix.ts";
export { type ExecFileError, type ExecFileOptions, execFileAsync } from "../../process/child/exec-file.ts";
export { escapeXml } from "../../prompts/threads.ts";
export { RunError } from "../../spec/failure/run-error.ts";
export { toChatModel } from "./adapter-chat-model.ts";
export { type InvokeOptions, isModelAdapter, type ModelAdapter } from "./ask-adapter.ts";
export type { ChatCliCallOptions } from "./call-settings.ts";
export { ChatCli } from "./chat-cli.ts";
export {
  type CliModelAdapter,
  createClaudeCliProvider,
  createCliProvider,
  createCodexCliProvider,
  type InvokeUpdate,
} from "./cli-provider.ts";
export type { ClaudeCliProviderOptions, CliProviderOptions, CodexCliProviderOptions } from "./cli-provider-options.ts";
export type { ChatCliFields } from "./model-fields.ts";
export { type ParsedToolCall, parseToolCalls } from "./parse-tool-calls.ts";
export { messagesToPrompt, messagesToXml } from "./to-messages.ts";
