import { buffer } from "node:stream/consumers";
import { type Command, InvalidArgumentError, Option } from "commander";
import { builtinProviders } from "../clis/index.ts";
import { type Recording, replayRecording, wiresOf } from "../replay/replay.ts";
import { collect } from "../run/collect.ts";
import { isJsonObject } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";
import type { OutputFormat } from "../spec/wire/wire.ts";
import { onReaderLeaving } from "./cancellation.ts";
import { EXIT } from "./exit-codes.ts";
import { findProvider } from "./find-provider.ts";
import { parseJson, readBytes } from "./input/read-json-file.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { toJsonText } from "./terminal/terminal-text.ts";
import { UsageError } from "./usage-error.ts";

type DecodeOptions = {
  readonly format?: OutputFormat;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stderr?: string;
  readonly usageBefore?: Usage;
  readonly result?: true;
};

const FORMATS: readonly OutputFormat[] = ["stream-json", "json", "text"];

/** Adds `cox decode`: prints a recorded output as events. */
export function addDecodeCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("decode")
    .summary("convert the recorded output of a CLI to events")
    .description("Read the recorded output of a CLI and print its events, one JSON object per line, one run for each turn.")
    .argument("<provider>", "the CLI that printed the output")
    .argument("[file]", "its recorded stdout (default: stdin)")
    .addOption(
      new Option("--format <format>", "output format of the recording (default: the format that Coxswain uses)").choices(FORMATS),
    )
    .option("--exit-code <number>", "exit code of the CLI", readExitCode, 0)
    .option("--signal <name>", "signal that ended the CLI, such as SIGKILL")
    .option("--stderr <file>", "its recorded stderr")
    .option("--usage-before <json>", "token totals before this turn, for CLIs that report only totals", readUsage)
    .option("--result", "print the result of the last turn as one JSON object instead of events")
    .addHelpText("after", helpAfter(EXAMPLES))
    .action(async (name: string, file: string | undefined, options: DecodeOptions) => exit(await decode(name, file, options)));
}

const EXAMPLES = ["cox decode claude stdout.jsonl", "cox decode claude stdout.jsonl --exit-code 1 --stderr stderr.txt --result"];

async function decode(name: string, file: string | undefined, options: DecodeOptions): Promise<number> {
  onReaderLeaving(() => process.exit(EXIT.answered));
  const provider = findProvider(builtinProviders, name);
  const format = options.format ?? provider.transports.spawn.wire.framing;
  checkFormat(provider, format);
  const recording: Recording = {
    format,
    stdout: file === undefined || file === "-" ? await buffer(process.stdin) : readBytes(file),
    ...(options.exitCode !== undefined && { exitCode: options.exitCode }),
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(options.stderr !== undefined && { stderr: readBytes(options.stderr).toString("utf8") }),
    ...(options.usageBefore !== undefined && { usageBefore: options.usageBefore }),
  };
  const turns = replayRecording(provider, recording);
  if (options.result) print(toResult(turns.at(-1) ?? []));
  else for (const event of turns.flat()) print(event);
  return EXIT.answered;
}

/** The result with every key that scripts use; unknown values are null. */
function toResult(events: readonly RunEvent[]): object {
  const { text, ...rest } = collect(events);
  return { text, sessionId: null, usage: null, failure: null, ...rest };
}

function checkFormat(provider: Provider, format: OutputFormat): void {
  const formats = wiresOf(provider).map(({ framing }) => framing);
  if (formats.includes(format)) return;
  const known = formats.join(", ");
  throw new UsageError(`${provider.label} has no format "${format}".`, `Use --format with one of: ${known}.`);
}

function readExitCode(value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}

const COUNTS = ["inputTokens", "outputTokens", "totalTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

/** Reads token totals from JSON text; missing counts stay unknown. */
function readUsage(text: string): Usage {
  const given = parseJson(text, () => new InvalidArgumentError("It must be JSON."));
  if (!isJsonObject(given)) throw new InvalidArgumentError("It must be a JSON object.");
  const counts = COUNTS.flatMap((name) => {
    const count = given[name];
    if (count === undefined || count === null) return [];
    if (typeof count !== "number" || !(count >= 0)) throw new InvalidArgumentError(`${name} must be a number, 0 or more.`);
    return [[name, count] as const];
  });
  return {
    ...Object.fromEntries(counts),
    estimated: given["estimated"] === true,
    scope: given["scope"] === "turn" ? "turn" : "thread",
  };
}

function print(value: object): void {
  process.stdout.write(`${toJsonText(value)}\n`);
}
