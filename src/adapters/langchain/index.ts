export type { CompatibilityOptions } from "../../agent/compatibility/check-compatibility.ts";
export type { Feature } from "../../agent/compatibility/features.ts";
export { type ExecFileError, type ExecFileOptions, execFileAsync } from "../../process/exec-file.ts";
export { RunError } from "../../spec/run-error.ts";
export { escapeXml } from "../../tools/thread-xml.ts";
export { toChatModel } from "./adapter-chat-model.ts";
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
export { type InvokeOptions, isModelAdapter, type ModelAdapter } from "./model-adapter.ts";
export type { ChatCliFields } from "./model-fields.ts";
export { type ParsedToolCall, parseToolCalls } from "./parse-tool-calls.ts";
export { messagesToPrompt, messagesToXml } from "./to-messages.ts";
