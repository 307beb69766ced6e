export { RunError } from "../../spec/failure/run-error.ts";
export { type CoxswainOptions, type CoxswainProvider, coxswain, createCoxswain } from "./create-coxswain.ts";
export type { CoxswainMetadata } from "./finish.ts";
export type { CoxswainProviderOptions } from "./read-call.ts";
