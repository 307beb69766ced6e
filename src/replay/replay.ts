import { geminiStream } from "../clis/gemini/stream.ts";
import { grokStream } from "../clis/grok/messages.ts";
import { StderrKeeper } from "../process/child/output.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunMode } from "../spec/request.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";
import type { OutputFormat, Wire } from "../spec/wire/wire.ts";
import { AcpReplay } from "./acp-replay.ts";
import { geminiJson, geminiText } from "./formats/gemini.ts";
import { grokJson, grokLines } from "./formats/grok.ts";
import { RecordedTurns } from "./recorded-turns.ts";

export type Recording = {
  /** The format of stdout; by default the format of the provider's runs. */
  readonly format?: OutputFormat;
  /** The transport whose wire reads the output; `spawn` by default. */
  readonly transport?: "spawn" | "resident";
  /** What was sent to the CLI. The output of an agent of the Agent Client Protocol cannot be read without it. */
  readonly stdin?: string;
  /** How an agent of that protocol was used; `completion` by default, in which every call that needs a permission is denied. */
  readonly mode?: RunMode;
  readonly stdout: Uint8Array;
  readonly stderr?: string;
  /** 0 if neither an exit code nor a signal is given. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** The token totals of the thread before the recording. */
  readonly usageBefore?: Usage;
};

export type ReplayOptions = {
  /** Byte offsets at which stdout is cut into chunks. */
  readonly splitAt?: readonly number[];
};

/** The events of a recorded stdout, one list for each turn. All times are zero, because a recording has none. */
export function replayRecording(
  provider: Provider,
  recording: Recording,
  options: ReplayOptions = {},
): readonly (readonly RunEvent[])[] {
  const { stdout } = recording;
  const turns = readerOf(provider, recording);
  let from = 0;
  for (const offset of [...(options.splitAt ?? []), stdout.byteLength]) {
    turns.push(stdout.subarray(from, offset));
    from = offset;
  }
  const exit = recording.signal === undefined ? { exitCode: recording.exitCode ?? 0 } : { signal: recording.signal };
  const kept = new StderrKeeper();
  kept.push(Buffer.from(recording.stderr ?? ""));
  return turns.end({ ...exit, ...kept.read() });
}

function readerOf(provider: Provider, recording: Recording): Pick<RecordedTurns, "push" | "end"> {
  const { format, transport = "spawn", usageBefore, stdin, mode = "completion" } = recording;
  const wire = wireOf(provider, format, transport);
  if (wire.protocol === undefined)
    return new RecordedTurns(provider, wire, usageBefore === undefined ? {} : { totalsBefore: [{ usage: usageBefore }] });
  if (stdin !== undefined) return new AcpReplay(provider, wire, stdin, mode);
  throw new TypeError(`A recording of "${provider.id}" needs what was sent to the CLI (stdin): its answers name only numbers.`);
}

/** The wires of formats for which Coxswain asks no CLI, by the wire of the provider's runs. They read recordings. */
const WITH_OTHER_FORMATS: ReadonlyMap<Wire, readonly Wire[]> = new Map<Wire, readonly Wire[]>([
  [geminiStream, [geminiStream, geminiJson, geminiText]],
  [grokStream, [grokLines, grokJson]],
]);

/** One wire for each output format; that of the format of the provider's runs is first. */
export function wiresOf({ transports, recordedWires = [] }: Provider): readonly Wire[] {
  const { wire } = transports.spawn;
  return [...(WITH_OTHER_FORMATS.get(wire) ?? [wire]), ...recordedWires];
}

/** The wire of a provider for an output format, or that of its resident transport; throws if there is none. */
function wireOf(provider: Provider, format: OutputFormat | undefined, transport: "spawn" | "resident"): Wire {
  const { spawn, resident } = provider.transports;
  const wanted = format ?? spawn.wire.framing;
  const wire = transport === "resident" ? resident?.wire : wiresOf(provider).find(({ framing }) => framing === wanted);
  if (wire !== undefined) return wire;
  const lacks = transport === "resident" ? "has no resident transport" : `does not print ${wanted}`;
  throw new TypeError(`Provider "${provider.id}" ${lacks}.`);
}
