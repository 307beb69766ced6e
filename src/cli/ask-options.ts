import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { PermissionMode, Permissions, RunRequest } from "../spec/request.ts";
import type { ConfigChoice } from "./open-client.ts";
import { readSchema } from "./read-json-file.ts";
import { UsageError } from "./usage-error.ts";

/** The options of `cox ask`, as commander parses them. */
export type AskOptions = {
  readonly provider?: string;
  readonly model?: string;
  readonly system?: string;
  readonly agent?: true;
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly allowTool?: readonly string[];
  readonly permissionMode?: PermissionMode;
  /** False with `--no-background`. */
  readonly background: boolean;
  readonly schema?: string;
  readonly timeout?: number;
  readonly retries: number;
  /** False with `--no-fallback`. */
  readonly fallback: boolean;
  readonly maxWait?: number;
  readonly budgetUsd?: number;
  readonly config?: ConfigChoice;
  readonly json?: true;
  readonly streamJson?: true;
  readonly dryRun?: true;
};

/** The values of `--permission-mode`. */
export const PERMISSION_MODES: readonly PermissionMode[] = ["default", "plan", "accept-edits", "dont-ask", "bypass"];

/** The output: streamed text, one JSON result, all events as JSON lines, or only the launch plan. */
export type AskOutput = "text" | "json" | "stream-json" | "dry-run";

/** The output form; two at once are a usage error. */
export function chosenOutput(options: AskOptions): AskOutput {
  const chosen: AskOutput[] = [];
  if (options.json) chosen.push("json");
  if (options.streamJson) chosen.push("stream-json");
  if (options.dryRun) chosen.push("dry-run");
  const [first = "text", second] = chosen;
  if (second === undefined) return first;
  throw new UsageError(`--${first} and --${second} contradict each other.`, "Remove one of them.");
}

/** Throws a usage error for options that need `--agent`. */
export function checkAgentOptions(options: AskOptions): void {
  if (options.agent) return;
  const given = [
    options.cwd !== undefined && "--cwd",
    options.addDir !== undefined && "--add-dir",
    options.allowTool !== undefined && "--allow-tool",
    options.permissionMode !== undefined && "--permission-mode",
    !options.background && "--no-background",
  ].filter((flag) => flag !== false);
  if (given.length === 0) return;
  const verb = given.length === 1 ? "needs" : "need";
  throw new UsageError(
    `${given.join(", ")} ${verb} --agent: completion mode has no directory and no tools.`,
    "Add --agent, or remove the option.",
  );
}

/** Converts the options to a request; reads the schema file. */
export function toRequest(options: AskOptions): Omit<RunRequest, "prompt"> {
  return {
    ...(options.system !== undefined && { system: options.system }),
    ...(options.schema !== undefined && { outputSchema: readSchema(options.schema) }),
    ...(options.timeout !== undefined && { timeouts: { totalMs: Math.ceil(options.timeout * 1000) } }),
    ...(options.maxWait !== undefined && { maxWaitMs: Math.ceil(options.maxWait * 1000) }),
    ...(options.budgetUsd !== undefined && { budget: { usd: options.budgetUsd } }),
    ...(options.agent && toAgentRequest(options)),
  };
}

function toAgentRequest(options: AskOptions): Omit<RunRequest, "prompt"> {
  const permissions: Permissions = {
    ...(options.permissionMode !== undefined && { mode: options.permissionMode }),
    ...(options.allowTool !== undefined && { allow: options.allowTool }),
  };
  return {
    mode: "agent",
    cwd: resolve(options.cwd ?? "."),
    ...(options.addDir !== undefined && { addDirs: options.addDir.map((path) => resolve(path)) }),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(!options.background && { backgroundTasks: "off" as const }),
  };
}

const MOST_SECONDS = 2_000_000;
const MOST_RETRIES = 10;

/** Parses a positive number of seconds. */
export function readSeconds(value: string): number {
  const seconds = readNumber(value);
  if (seconds > 0 && seconds <= MOST_SECONDS) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds above 0.");
}

/** Parses a number of seconds that may be 0. */
export function readWaitSeconds(value: string): number {
  const seconds = readNumber(value);
  if (seconds >= 0 && seconds <= MOST_SECONDS) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds, 0 or more.");
}

/** Parses a number of retries. */
export function readRetries(value: string): number {
  const retries = readNumber(value);
  if (Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES) return retries;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_RETRIES}.`);
}

/** Parses an amount of money. */
export function readUsd(value: string): number {
  const usd = readNumber(value);
  if (usd > 0 && Number.isFinite(usd)) return usd;
  throw new InvalidArgumentError("It must be an amount in US dollars above 0, such as 0.50.");
}

function readNumber(value: string): number {
  return value.trim() === "" ? Number.NaN : Number(value);
}

/** Appends a value of an option that may be repeated. */
export function addValue(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
