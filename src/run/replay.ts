import { StderrKeeper } from "../process/stderr-keeper.ts";
import type { RunEvent } from "../spec/events.ts";
import type { Provider } from "../spec/provider.ts";
import type { Usage } from "../spec/usage.ts";
import type { OutputFormat } from "../spec/wire.ts";
import { Turns } from "./turns.ts";

/** What a CLI printed and how it ended. */
export type Recording = {
  /** The format in which Coxswain asks the CLI to print, by default. */
  readonly format?: OutputFormat;
  readonly stdout: Uint8Array;
  readonly stderr?: string;
  /** 0 when nothing is said about the end. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** Totals of the thread before the recording began. */
  readonly usageBefore?: Usage;
};

/** How a recording is fed. */
export type ReplayOptions = {
  /** Byte offsets at which stdout is cut into chunks. */
  readonly splitAt?: readonly number[];
};

/** The events of a recorded stdout, one list for each turn. A recording has no clock: all its times are zero. */
export function replayRecording(
  provider: Provider,
  recording: Recording,
  options: ReplayOptions = {},
): readonly (readonly RunEvent[])[] {
  const { format = provider.transports.spawn.wire.framing, stdout, usageBefore } = recording;
  const turns = new Turns(provider, format, usageBefore === undefined ? {} : { usageBefore });
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
