export { type Client, type ClientOptions, createClient } from "./client.ts";
export { codexExec } from "./clis/codex/exec.ts";
export { builtinProviders } from "./clis/index.ts";
export { toMcpConfig } from "./clis/shared/to-mcp-config.ts";
export type { ConfigEntry, ConfigPaths } from "./config/config-entry.ts";
export { findConfigFiles } from "./config/find-config-files.ts";
export {
  type ConfigDefaults,
  type ConfigFile,
  type ConfigMistake,
  describeMistake,
  readConfigFile,
} from "./config/read-config-file.ts";
export { readEntry as toProvider } from "./config/read-entry.ts";
export { claudeStream } from "./dialects/claude/claude-stream.ts";
export type { ExtractionRules } from "./dialects/generic/extraction.ts";
export { createJsonEvents } from "./dialects/generic/json-events.ts";
export { createJsonObject } from "./dialects/generic/json-object.ts";
export { plainText } from "./dialects/generic/plain-text.ts";
export { trimmedText } from "./dialects/generic/trimmed-text.ts";
export { type ClassifyOptions, classifyError, type ErrorClassification } from "./failures/classify-error.ts";
export { type AnyProviderError, ProviderError, type ProviderErrorType, toProviderError } from "./failures/to-provider-error.ts";
export { defineTool, type ToolSource } from "./host-tools/define-tool.ts";
export {
  type AgentNeeds,
  type AgentSpec,
  type CreatedSession,
  createSessionProvider,
  type SessionBeginning,
  type SessionClient,
  type SessionProvider,
  type ToolResult,
} from "./sessions/session-provider.ts";
export { createFailure, type FailureDetails } from "./spec/failure/create-failure.ts";
export type { Failure, FailureEvidence } from "./spec/failure/failure.ts";
export type { FailureCategory, FailureTraits } from "./spec/failure/failure-codes.ts";
export { FAILURE_CODES, FAILURE_TRAITS, type FailureCode, type FailureCodeInfo } from "./spec/failure/failure-codes.ts";
export { RunError } from "./spec/failure/run-error.ts";
export type {
  DeepReport,
  EnvironmentOptions,
  EnvironmentReport,
  HealthOptions,
  HealthReport,
  HealthWarning,
  LoginReport,
  ModelReport,
} from "./spec/health.ts";
export type { JsonObject, JsonValue } from "./spec/json.ts";
export type { Image, Message } from "./spec/message.ts";
export type {
  Budget,
  CooldownOptions,
  FallbackOptions,
  LimitOptions,
  PolicyOptions,
  RetryOptions,
  SpentQuota,
} from "./spec/policy.ts";
export { type Capabilities, type CliTraits, capabilitiesOf, type RequestOption } from "./spec/provider/capabilities.ts";
export { defineProvider, withSpawn } from "./spec/provider/define-provider.ts";
export {
  type HomeFile,
  type LaunchPlan,
  type PrivateHome,
  type ProcessPlan,
  pathOf,
  type StdinPlan,
  type TempFile,
  toJsonWithPaths,
} from "./spec/provider/launch-plan.ts";
export type {
  Binary,
  FaultRule,
  LaunchOptions,
  LaunchParts,
  McpConfig,
  Provider,
  ProviderChange,
  Refusal,
  ResidentTransport,
  SilentRetries,
  Surroundings,
  Transport,
} from "./spec/provider/provider.ts";
export type {
  LoginStatus,
  ModelList,
  ProgramSign,
  ProviderOrigin,
  Requirements,
  TranscriptPlace,
} from "./spec/provider/provider-facts.ts";
export type { SchemaDialect } from "./spec/provider/schema-dialect.ts";
export type { VersionRange } from "./spec/provider/versions.ts";
export type {
  McpServer,
  McpServers,
  PermissionMode,
  Permissions,
  PromptRequest,
  RunInput,
  RunMode,
  RunRequest,
  SessionChoice,
  Target,
  TargetChoice,
  Timeouts,
} from "./spec/request.ts";
export type { AttemptRecord, PermissionDenial, RunResult, RunWarning, ToolCallRecord } from "./spec/result.ts";
export type { LogEntry, LogLevel, LogOptions, RunBatch, RunKind, RunListener } from "./spec/run-listener.ts";
export type {
  CliSession,
  ResumeOptions,
  Session,
  SessionInput,
  SessionMethods,
  SessionOptions,
  SessionRecord,
  SessionRemoval,
  SessionSettings,
} from "./spec/session.ts";
export type { JsonSchema, OutputSchema, StandardIssue, StandardResult, StandardSchema } from "./spec/standard-schema.ts";
export type { AttemptGate, PermissionAnswer, PermissionQuestion, RunContext, RunStream } from "./spec/stream.ts";
export type { HostCall, InvalidCall, ToolChoice, ToolDefinition } from "./spec/tool.ts";
export type { WarmOptions, WarmProcess } from "./spec/warm.ts";
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
export type { EventBody, EventDraft, EventStamp, Finish, RunEvent } from "./spec/wire/events.ts";
export type { Usage } from "./spec/wire/usage.ts";
export type {
  Connection,
  ExitReport,
  Fault,
  OutputFormat,
  Place,
  RoutedValue,
  Send,
  TurnBaseline,
  TurnEnd,
  TurnKey,
  Wire,
  WireStep,
  WireTurn,
} from "./spec/wire/wire.ts";
