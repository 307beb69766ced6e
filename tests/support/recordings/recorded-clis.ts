import { type Recording, replayRecording } from "../../../src/replay/replay.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { fixtureFolders, providerOf, type RecordedCase, readRecordedCases } from "./read-recorded-cases.ts";

/** A CLI with recordings: a folder in fixtures/ and the provider with that id. */
export type RecordedCli = { readonly cli: string; readonly provider: Provider };

/** One recording with its CLI. */
export type RecordedCliCase = RecordedCli & RecordedCase;

/** Every CLI that is tested with recordings. */
export const recordedClis: readonly RecordedCli[] = fixtureFolders().map((cli) => ({ cli, provider: providerOf(cli) }));

/** Every recording of every CLI. */
export const recordedCliCases: readonly RecordedCliCase[] = recordedClis.flatMap((recordedCli) =>
  readRecordedCases(recordedCli.cli).map((recordedCase) => ({ ...recordedCli, ...recordedCase })),
);

const replayed = new WeakMap<Recording, readonly (readonly RunEvent[])[]>();

/** The runs of a recording, replayed once for all tests. */
export function runsOf({
  provider,
  recording,
}: Pick<RecordedCliCase, "provider" | "recording">): readonly (readonly RunEvent[])[] {
  const known = replayed.get(recording);
  if (known !== undefined) return known;
  const runs = replayRecording(provider, recording);
  replayed.set(recording, runs);
  return runs;
}
