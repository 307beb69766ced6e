import { ok } from "node:assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Recording, replayRecording, wiresOf } from "../replay/replay.ts";
import { FAILURE_CODES } from "../spec/failure/failure-codes.ts";
import { didYouMean } from "../spec/fields.ts";
import type { FaultRule, Provider } from "../spec/provider/provider.ts";
import { firstInput } from "../spec/wire/define-wire.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { demandSame, judgeRuns, type RecordedCase, readRecordedCase } from "./recorded-case.ts";

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
  const { id, versionsChecked, install, faults } = provider;
  const formats = wiresOf(provider).map(({ framing }) => framing);
  const twice = formats.find((format, index) => formats.indexOf(format) !== index);
  const isWords = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id);
  return [
    ["the id is lower case and made of words", () => ok(isWords, `Rename ${JSON.stringify(id)}: a-z, 0-9 and single hyphens.`)],
    ["each format has one wire", () => ok(twice === undefined, `Leave one of the wires for ${twice} out of recordedWires.`)],
    ["the versions it was checked with are named", () => ok(versionsChecked, "Set versionsChecked to { oldest, newest }.")],
    ["there is a word on how to install it", () => ok(install !== "", "Set install to the command that installs the CLI.")],
    ["every fault rule has a condition and a known code", () => faults.forEach(checkFault)],
  ];
}

function checkFault({ kind, status, exitCode, text, code }: FaultRule, index: number): void {
  const hasCondition = [kind, status, exitCode, text].some((condition) => condition !== undefined);
  ok(hasCondition, `Give faults[${index}] a kind, a status, an exitCode or a text: it would hold for every error.`);
  const isKnown = Object.hasOwn(FAILURE_CODES, code);
  ok(isKnown, `faults[${index}].code is none of docs/failures.md. ${didYouMean(code, Object.keys(FAILURE_CODES))}`);
}

function launchChecks(provider: Provider): readonly Check[] {
  const prompt = "--help @/etc/hostname /word";
  const { launch: launchIt, wire } = provider.transports.spawn;
  const launch = () => launchIt({ prompt }, { answersPermissions: false });
  const isHidden = (): boolean => firstInput(wire, { prompt }).text === "" || !launch().args.includes(prompt);
  return [
    ["the same request gives the same launch", () => demandSame(launch(), launch(), "Let launch depend on its arguments only.")],
    ["a prompt on stdin is in no argument", () => ok(isHidden(), "Leave the prompt out of args, or let the wire have noInput.")],
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
  const order = events.map((event) => event.seq);
  demandSame(order, [...order.keys()], "The events are not numbered in their order.");
  const ends = events.filter((event) => event.type === "run-start" || event.type === "run-end");
  demandSame(ends, [events.at(0), events.at(-1)], "A run has one run-start, its first event, and one run-end, its last.");
  const idsOf = (type: RunEvent["type"]) => events.flatMap((event) => (event.type === type && "id" in event ? [event.id] : []));
  demandSame(idsOf("tool-end").toSorted(), idsOf("tool-start").toSorted(), "Each tool-start needs one tool-end with its id.");
}

/** Cuts the output at 39 places, in eight replays with up to five cuts each. */
function checkSplits(recording: Recording, replay: (splitAt?: readonly number[]) => unknown): void {
  const whole = replay();
  const places = Array.from({ length: 39 }, (_, index) => Math.floor((recording.stdout.length * (index + 1)) / 40));
  for (let first = 0; first < 8; first += 1) {
    const cuts = places.filter((_, index) => index % 8 === first);
    demandSame(
      replay(cuts),
      whole,
      `Cut at the bytes ${cuts.join(", ")} stdout gives other events: does the wire keep state outside of start?`,
    );
  }
}
