import { buffer } from "node:stream/consumers";
import { type Command, InvalidArgumentError, Option } from "commander";
import { builtinProviders } from "../clis/index.ts";
import { type Recording, replayRecording, wiresOf } from "../replay/replay.ts";
import { collect } from "../run/collect.ts";
import { defined, isJsonObject, parseJson } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";
import type { OutputFormat } from "../spec/wire/wire.ts";
import { openPrinter } from "./cancellation.ts";
import { EXIT } from "./exit-codes.ts";
import { namedProvider } from "./find-provider.ts";
import { readBytes } from "./input/read-file.ts";
import { readExitCode } from "./options/read-option.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { printJson } from "./terminal/screen.ts";
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
  const screen = openPrinter();
  const provider = namedProvider({ providers: builtinProviders }, name);
  const format = options.format ?? provider.transports.spawn.wire.framing;
  checkFormat(provider, format);
  const recording: Recording = {
    format,
    stdout: file === undefined || file === "-" ? await buffer(process.stdin) : readBytes(file),
    ...defined({
      exitCode: options.exitCode,
      signal: options.signal,
      stderr: options.stderr === undefined ? undefined : readBytes(options.stderr).toString("utf8"),
      usageBefore: options.usageBefore,
    }),
  };
  const turns = replayRecording(provider, recording);
  if (options.result) printJson(screen, toResult(turns.at(-1) ?? []));
  else for (const event of turns.flat()) printJson(screen, event);
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

const COUNTS = ["inputTokens", "outputTokens", "totalTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

/** Reads token totals from JSON text; missing counts stay unknown. */
function readUsage(text: string): Usage {
  const given = parseJson(text);
  if (given === undefined) throw new InvalidArgumentError("It must be JSON.");
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
