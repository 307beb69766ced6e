import { StderrKeeper } from "../process/child/output.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";
import type { OutputFormat } from "../spec/wire/wire.ts";
import { RecordedTurns } from "./recorded-turns.ts";

export type Recording = {
  /** The format of stdout; by default the format of the provider's runs. */
  readonly format?: OutputFormat;
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
  const { format = provider.transports.spawn.wire.framing, stdout, usageBefore } = recording;
  const turns = new RecordedTurns(provider, format, usageBefore === undefined ? {} : { totalsBefore: [{ usage: usageBefore }] });
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
