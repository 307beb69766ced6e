import { axGlm } from "../../src/clis/ax-glm/provider.ts";
import { claude } from "../../src/clis/claude/provider.ts";
import { codex } from "../../src/clis/codex/provider.ts";
import { copilot } from "../../src/clis/copilot/provider.ts";
import { gemini } from "../../src/clis/gemini/provider.ts";
import { glm } from "../../src/clis/glm/provider.ts";
import { grok } from "../../src/clis/grok/provider.ts";
import { grokVibe } from "../../src/clis/grok-vibe/provider.ts";
import { opencode } from "../../src/clis/opencode/provider.ts";
import { qwen } from "../../src/clis/qwen/provider.ts";
import type { RunEvent } from "../../src/spec/events.ts";
import type { Provider } from "../../src/spec/provider.ts";
import { type Recording, replayRecording } from "../../src/testing/replay.ts";
import { readDeclaredCopilotAnswers } from "./declared-answers/copilot.ts";
import { readDeclaredGeminiAnswers } from "./declared-answers/gemini.ts";
import { readDeclaredGrokAnswers } from "./declared-answers/grok.ts";
import { readDeclaredOpencodeAnswers } from "./declared-answers/opencode.ts";
import { readDeclaredRoleAnswers } from "./declared-answers/role-messages.ts";
import { readDeclaredAnswers, readDeclaredCodexAnswers, readDeclaredQwenAnswers } from "./read-declared-answers.ts";
import { type RecordedCase, readRecordedCases } from "./read-recorded-cases.ts";

/** What is known about a CLI with recordings apart from the code under test. */
export type RecordingFacts = {
  /** The answers of the turns, read from the raw lines. */
  readonly readAnswers: (recording: Recording) => readonly string[];
  /** Whether it says a complete message again after a cut, so that the first one has to be taken back. */
  readonly repeatsMessages: boolean;
  /** At least so many recordings have complete events. */
  readonly completeCases: number;
};

/** A CLI with recordings. */
export type RecordedCli = RecordingFacts & { readonly cli: string; readonly provider: Provider };

/** One recording with its CLI. */
export type RecordedCliCase = RecordedCli & RecordedCase;

const facts = (readAnswers: RecordingFacts["readAnswers"], completeCases = 30): RecordingFacts => ({
  readAnswers,
  repeatsMessages: false,
  completeCases,
});

/** The facts of every CLI that was recorded, by the name of its folder of fixtures. */
const recordingFacts = {
  claude: facts(readDeclaredAnswers),
  codex: { ...facts(readDeclaredCodexAnswers), repeatsMessages: true },
  gemini: facts(readDeclaredGeminiAnswers),
  qwen: facts(readDeclaredQwenAnswers),
  opencode: facts(readDeclaredOpencodeAnswers),
  copilot: facts(readDeclaredCopilotAnswers),
  grok: facts(readDeclaredGrokAnswers),
  "grok-vibe": facts(readDeclaredRoleAnswers, 24),
  "ax-glm": facts(readDeclaredRoleAnswers, 27),
  glm: facts(readDeclaredAnswers, 4),
};

/** Whom the recordings judge: one line for each folder of fixtures. */
const judged: readonly (readonly [cli: keyof typeof recordingFacts, provider: Provider])[] = [
  ["claude", claude],
  ["codex", codex],
  ["gemini", gemini],
  ["qwen", qwen],
  ["opencode", opencode],
  ["copilot", copilot],
  ["grok", grok],
  ["grok-vibe", grokVibe],
  ["ax-glm", axGlm],
  ["glm", glm],
];

/** Every CLI that is judged by recordings. */
export const recordedClis: readonly RecordedCli[] = judged.map(([cli, provider]) => ({ cli, provider, ...recordingFacts[cli] }));

/** Every recording of every CLI. */
export const recordedCliCases: readonly RecordedCliCase[] = recordedClis.flatMap(toCases);

/** The recordings of one CLI. */
export function toCases(recordedCli: RecordedCli): readonly RecordedCliCase[] {
  return readRecordedCases(recordedCli.cli).map((recordedCase) => ({ ...recordedCli, ...recordedCase }));
}

const replayed = new WeakMap<Recording, readonly (readonly RunEvent[])[]>();

/** The runs of a recording, replayed once however many tests judge them. */
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
