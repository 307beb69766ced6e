export { type Recording, type ReplayOptions, replayRecording } from "../replay/replay.ts";
export { createFakeCli, type FakeCall, type FakeCli, type FakeStep } from "./fake-cli.ts";
export { type AnthropicErrorName, anthropicError } from "./fake-model-api/anthropic.ts";
export type {
  FakeAnswer,
  FakeAnswers,
  FakeHttpError,
  FakeReply,
  FakeStreamError,
  FakeToolCall,
  FakeUsage,
} from "./fake-model-api/fake-answer.ts";
export type { FakeApiRequest } from "./fake-model-api/fake-api-request.ts";
export type { ErrorHeaderOptions } from "./fake-model-api/fake-protocol.ts";
export { type GeminiErrorName, type GeminiErrorOptions, geminiError } from "./fake-model-api/gemini.ts";
export { type ChatErrorCode, chatError, type ResponsesErrorCode, responsesError } from "./fake-model-api/openai-error.ts";
export { type FakeApiProtocol, type FakeModelApi, startFakeModelApi } from "./fake-model-api/start-fake-model-api.ts";
export { findRunProcesses } from "./find-run-processes.ts";
export { type ContractCheck, type ContractOptions, providerContract } from "./provider-contract.ts";
export { type ExpectedCase, type ExpectedRun, type RecordedCase, readRecordedCase } from "./recorded-case.ts";
