import { deepStrictEqual, ok } from "node:assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Recording, replayRecording, wiresOf } from "../replay/replay.ts";
import { FAILURE_CODES } from "../spec/failure/failure-codes.ts";
import type { FaultRule, Provider } from "../spec/provider/provider.ts";
import { firstInput } from "../spec/wire/define-wire.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { judgeRuns, type RecordedCase, readRecordedCase } from "./recorded-case.ts";

/** One check of a provider, for any test runner; `run` throws if it fails. */
export type ContractCheck = { readonly title: string; readonly run: () => void };

export type ContractOptions = {
  /** A folder of recorded cases: `<case>/{case.json,stdout,stderr,expected.json}`. */
  readonly fixtures?: string;
};

/** The words do not name the provider. */
type Check = readonly [words: string, run: () => void];

/** Returns the checks that a provider must pass: of its data, its launches and its recordings. */
export function providerContract(provider: Provider, options: ContractOptions = {}): readonly ContractCheck[] {
  const { fixtures } = options;
  const entries = fixtures === undefined ? [] : readdirSync(fixtures, { withFileTypes: true });
  const cases = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const checks = [
    ...dataChecks(provider),
    ...launchChecks(provider),
    ...cases.toSorted().flatMap((name) => caseChecks(provider, join(fixtures ?? "", name), name)),
  ];
  return checks.map(([words, run]) => ({ title: `${provider.id}: ${words}`, run }));
}

function dataChecks(provider: Provider): readonly Check[] {
  const formats = () => wiresOf(provider).map(({ framing }) => framing);
  return [
    ["the id is lower case and made of words", () => ok(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(provider.id))],
    ["each format has one wire", () => deepStrictEqual(formats(), [...new Set(formats())])],
    ["the versions it was checked with are named", () => ok(provider.versionsChecked !== undefined)],
    ["there is a word on how to install it", () => ok(provider.install !== "")],
    ["every fault rule has a condition and a known code", () => provider.faults.forEach(checkFault)],
  ];
}

function checkFault({ kind, status, exitCode, text, code }: FaultRule): void {
  ok([kind, status, exitCode, text].some((condition) => condition !== undefined));
  ok(code in FAILURE_CODES);
}

function launchChecks(provider: Provider): readonly Check[] {
  const prompt = "--help @/etc/hostname /word";
  const { launch: launchIt, wire } = provider.transports.spawn;
  const launch = () => launchIt({ prompt }, { answersPermissions: false });
  const isHidden = (): boolean => firstInput(wire, { prompt }).text === "" || !launch().args.includes(prompt);
  return [
    ["the same request gives the same launch", () => deepStrictEqual(launch(), launch())],
    ["a prompt on stdin is in no argument", () => ok(isHidden())],
  ];
}

/** Each case is read when its check runs, so that an unreadable case fails only its own checks. */
function caseChecks(provider: Provider, folder: string, name: string): readonly Check[] {
  let read: RecordedCase | undefined;
  const recorded = (): RecordedCase => {
    read ??= readRecordedCase(folder);
    return read;
  };
  const replay = (splitAt: readonly number[] = []) => replayRecording(provider, recorded().recording, { splitAt });
  return [
    [`${name} keeps the grammar of events`, () => replay().forEach(checkGrammar)],
    [`${name} gives the same events however it is split`, () => checkSplits(recorded().recording, replay)],
    [`${name} gives what was written down`, () => judgeRuns(replay(), recorded().expected)],
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

/** Cuts the output at 39 places, in eight replays with up to five cuts each. */
function checkSplits(recording: Recording, replay: (splitAt?: readonly number[]) => unknown): void {
  const whole = replay();
  const places = Array.from({ length: 39 }, (_, index) => Math.floor((recording.stdout.length * (index + 1)) / 40));
  for (let first = 0; first < 8; first += 1) deepStrictEqual(replay(places.filter((_, index) => index % 8 === first)), whole);
}
