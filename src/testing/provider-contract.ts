import { deepStrictEqual, ok } from "node:assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Recording, replayRecording } from "../run/replay.ts";
import { wiresOf } from "../run/wire-of.ts";
import { firstInput } from "../spec/define-wire.ts";
import type { RunEvent } from "../spec/events.ts";
import { FAILURE_CODES } from "../spec/failure-codes.ts";
import type { Provider } from "../spec/provider.ts";
import { judgeRuns } from "./judge-runs.ts";
import { type RecordedCase, readRecordedCase } from "./recorded-case.ts";

/** One check of a provider, for any test runner; `run` throws if it fails. */
export type ContractCheck = { readonly title: string; readonly run: () => void };

/** The options of the contract. */
export type ContractOptions = {
  /** A folder of recorded cases: `<case>/{case.json,stdout,stderr,expected.json}`. */
  readonly fixtures?: string;
};

/** Returns the checks that a provider must pass: of its data, its launches and its recordings. */
export function providerContract(provider: Provider, options: ContractOptions = {}): readonly ContractCheck[] {
  const { fixtures } = options;
  const entries = fixtures === undefined ? [] : readdirSync(fixtures, { withFileTypes: true });
  const cases = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [
    ...dataChecks(provider),
    ...launchChecks(provider),
    ...cases.toSorted().flatMap((name) => caseChecks(provider, join(fixtures ?? "", name), name)),
  ];
}

function dataChecks(provider: Provider): readonly ContractCheck[] {
  return [
    {
      title: `${provider.id}: the id is lower case and made of words`,
      run: () => ok(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(provider.id)),
    },
    {
      title: `${provider.id}: each format has one wire`,
      run: () => {
        const formats = wiresOf(provider).map(({ framing }) => framing);
        deepStrictEqual(formats, [...new Set(formats)]);
      },
    },
    {
      title: `${provider.id}: the versions it was checked with are named`,
      run: () => ok(provider.versionsChecked !== undefined),
    },
    { title: `${provider.id}: it has an install command`, run: () => ok(provider.install !== "") },
    {
      title: `${provider.id}: every fault rule has a condition and a known code`,
      run: () => {
        for (const rule of provider.faults) {
          ok([rule.kind, rule.status, rule.exitCode, rule.text].some((condition) => condition !== undefined));
          ok(rule.code in FAILURE_CODES);
        }
      },
    },
  ];
}

function launchChecks(provider: Provider): readonly ContractCheck[] {
  const prompt = "--help @/etc/hostname /word";
  const { launch: launchIt, wire } = provider.transports.spawn;
  const launch = () => launchIt({ prompt }, { answersPermissions: false });
  return [
    { title: `${provider.id}: the same request gives the same launch`, run: () => deepStrictEqual(launch(), launch()) },
    {
      title: `${provider.id}: a prompt on stdin is in no argument`,
      run: () => ok(firstInput(wire, { prompt }).text === "" || !launch().args.includes(prompt)),
    },
  ];
}

/** Each case is read when its check runs, so that an unreadable case fails only its own checks. */
function caseChecks(provider: Provider, folder: string, name: string): readonly ContractCheck[] {
  let read: RecordedCase | undefined;
  const recorded = (): RecordedCase => {
    read ??= readRecordedCase(folder);
    return read;
  };
  const replay = (splitAt: readonly number[] = []) => replayRecording(provider, recorded().recording, { splitAt });
  return [
    { title: `${provider.id}: ${name} keeps the grammar of events`, run: () => replay().forEach(checkGrammar) },
    {
      title: `${provider.id}: ${name} gives the same events however it is split`,
      run: () => checkSplits(recorded().recording, replay),
    },
    { title: `${provider.id}: ${name} matches expected.json`, run: () => judgeRuns(replay(), recorded().expected) },
  ];
}

function checkGrammar(events: readonly RunEvent[]): void {
  deepStrictEqual(
    events.map((event) => event.seq),
    events.map((_, index) => index),
  );
  const ends = events.filter((event) => event.type === "run-start" || event.type === "run-end");
  deepStrictEqual(ends, [events.at(0), events.at(-1)]);
  const started = events.filter((event) => event.type === "tool-start").map((event) => event.id);
  const ended = events.filter((event) => event.type === "tool-end").map((event) => event.id);
  deepStrictEqual(ended.toSorted(), started.toSorted());
}

function checkSplits(recording: Recording, replay: (splitAt?: readonly number[]) => unknown): void {
  const whole = replay();
  const { length } = recording.stdout;
  for (let part = 1; part < 40; part += 1) deepStrictEqual(replay([Math.floor((length * part) / 40)]), whole);
}
