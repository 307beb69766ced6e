import { type Command, Option } from "commander";
import { openLogFile } from "../../run/run-log.ts";
import { thrownMessage } from "../../spec/failure/failure.ts";
import { LOG_LEVELS, type LogLevel, type LogOptions } from "../../spec/run-listener.ts";
import { UsageError } from "../usage-error.ts";

export type LogFlags = { readonly logFile?: string; readonly logLevel?: LogLevel };

export function addLogOptions(command: Command): Command {
  return command
    .optionsGroup("Log:")
    .option("--log-file <path>", "add a line of JSON about each step of a run to this file, without secrets (default: no log)")
    .addOption(
      new Option("--log-level <level>", "the least important lines; only debug has prompts and answers (default: info)").choices(
        LOG_LEVELS,
      ),
    );
}

/** The log that the options choose; a file that cannot be written is a usage error, before anything is started. */
export function readLogFlags({ logFile, logLevel }: LogFlags): { readonly log?: LogOptions } {
  if (logFile === undefined) {
    if (logLevel === undefined) return {};
    throw new UsageError("--log-level needs --log-file.", "Name the file, or remove the option.");
  }
  try {
    openLogFile(logFile);
  } catch (error) {
    throw new UsageError(thrownMessage(error), "Name a file in an existing directory with --log-file.");
  }
  return { log: { file: logFile, ...(logLevel !== undefined && { level: logLevel }) } };
}
