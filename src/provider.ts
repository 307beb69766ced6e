export { codexExec } from "./clis/codex/exec.ts";
export { readEntry as toProvider } from "./config/collect-names.ts";
export {
  type ConfigDefaults,
  type ConfigFile,
  type ConfigMistake,
  describeMistake,
  findConfigFiles,
  readConfigFile,
} from "./config/read-config-file.ts";
export type { ConfigEntry, ConfigPaths } from "./config/to-provider.ts";
export { acpWire } from "./dialects/acp/acp.ts";
export type { AcpCli, AcpPrompt, AcpTally, RpcError } from "./dialects/acp/acp-cli.ts";
export { claudeStream } from "./dialects/claude/claude-stream.ts";
export type { ExtractionRules } from "./dialects/generic/extraction.ts";
export { createJsonEvents, createJsonObject } from "./dialects/generic/json-events.ts";
export { plainText, trimmedText } from "./dialects/generic/plain-text.ts";
export { createFailure, type FailureDetails } from "./spec/failure/failure.ts";
export type { JsonObject, JsonValue } from "./spec/json.ts";
export type { NativeTool } from "./spec/message.ts";
export {
  type CliTraits,
  type HomeFile,
  type LaunchPlan,
  type PrivateHome,
  type ProcessPlan,
  pathOf,
  type RequestOption,
  type StdinPlan,
  type TempFile,
  toJsonWithPaths,
  type VersionRange,
} from "./spec/provider/cli-data.ts";
export { defineProvider } from "./spec/provider/define-provider.ts";
export {
  type Binary,
  type FaultRule,
  type LaunchOptions,
  type LaunchParts,
  type McpConfig,
  type Provider,
  type ProviderChange,
  type ResidentTransport,
  type SilentRetries,
  type Transport,
  withSpawn,
} from "./spec/provider/provider.ts";
export type {
  Connection as UserConnection,
  ConnectionAbout,
  ConnectionSettings,
  EndedLogin,
  LoginStatus,
  ModelList,
  ModelWords,
  NativeTools,
  ProgramSign,
  ProjectStart,
  ProviderOrigin,
  Refusal,
  Requirements,
  SchemaDialect,
  SettingsFile,
  Surroundings,
  TranscriptPlace,
} from "./spec/provider/provider-facts.ts";
export type { Conversation, PromptRequest } from "./spec/request.ts";
export type { HostAnswer, HostQuestion, ToolAnswer, ToolQuestion } from "./spec/stream.ts";
export {
  CLOSE_INPUT,
  defineWire,
  NO_STEP,
  noInput,
  type SimpleWire,
  type TurnContext,
  type TurnInput,
  type TurnReader,
  type WireReducer,
  withInput,
} from "./spec/wire/define-wire.ts";
export type { EventBody, EventDraft, EventStamp } from "./spec/wire/events.ts";
export type { RunningTotals, SessionTotals } from "./spec/wire/usage.ts";
export type {
  Connection,
  ExitReport,
  Fault,
  OutputFormat,
  Place,
  Preparation,
  RoutedValue,
  Send,
  TurnBaseline,
  TurnEnd,
  TurnKey,
  Wire,
  WireStep,
  WireTurn,
} from "./spec/wire/wire.ts";
