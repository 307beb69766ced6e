export { createFakeCli, type FakeCli } from "./fake-cli.ts";
export type { FakeCall, FakeStep } from "./fake-cli-steps.ts";
export { findRunProcesses } from "./find-run-processes.ts";
export { type ContractCheck, type ContractOptions, providerContract } from "./provider-contract.ts";
export { type ExpectedRun, type RecordedCase, readRecordedCase } from "./recorded-case.ts";
export { type Recording, type ReplayOptions, replayRecording } from "./replay.ts";
