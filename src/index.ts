export { type Client, type ClientOptions, createClient } from "./client.ts";
export { builtinProviders, toMcpConfig } from "./clis/index.ts";
export { type ClassifyOptions, classifyError, type ErrorClassification } from "./failures/classify.ts";
export { defineTool, type ToolSource } from "./host-tools/define-tool.ts";
export type {
  Budget,
  CooldownOptions,
  FallbackOptions,
  LimitOptions,
  PolicyOptions,
  RetryOptions,
  SpentQuota,
  WarmOptions,
  WarmProcess,
} from "./spec/client-options.ts";
export type { Failure, FailureEvidence } from "./spec/failure/failure.ts";
export {
  FAILURE_CODES,
  FAILURE_TRAITS,
  type FailureCategory,
  type FailureCode,
  type FailureCodeInfo,
  type FailureTraits,
} from "./spec/failure/failure-codes.ts";
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
export type { HostCall, Image, InvalidCall, Message, ToolChoice, ToolDefinition } from "./spec/message.ts";
export { type Capabilities, capabilitiesOf, type PlannedProcess } from "./spec/provider/cli-data.ts";
export type {
  McpServer,
  McpServers,
  PermissionMode,
  Permissions,
  RunInput,
  RunMode,
  RunRequest,
  SessionChoice,
  Target,
  TargetChoice,
  Targets,
  Timeouts,
} from "./spec/request.ts";
export type { AttemptRecord, PermissionDenial, RunResult, RunWarning, ToolCallRecord } from "./spec/result.ts";
export type { LogEntry, LogLevel, LogOptions, RunBatch, RunKind, RunListener } from "./spec/run-listener.ts";
export type {
  CliSession,
  ResumeOptions,
  Session,
  SessionInput,
  SessionOptions,
  SessionRecord,
  SessionRemoval,
  SessionSettings,
} from "./spec/session.ts";
export type { JsonSchema, OutputSchema, StandardSchema } from "./spec/standard-schema.ts";
export type { AttemptGate, PermissionAnswer, PermissionQuestion, RunContext, RunStream } from "./spec/stream.ts";
export type { Finish, RunEvent } from "./spec/wire/events.ts";
export type { Usage } from "./spec/wire/usage.ts";
