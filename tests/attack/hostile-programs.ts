import type { RunRequest } from "../../src/index.ts";
import { ODD_ANSWERS, type OddAnswer } from "./odd-answers.ts";

/** The wire that a program speaks, named as its provider. */
export type WireName = "claude" | "codex";

/** A hostile program and how it is run. */
export type HostileProgram = {
  /** The program's name in the folder programs; a word behind `@` tells cases of one program apart. */
  readonly name: string;
  /** Both by default; only Claude Code asks for permissions. */
  readonly wires: readonly WireName[];
  readonly request: Partial<RunRequest>;
  /** The timeout of its run; some need a while for what they do. */
  readonly totalMs: number;
  /** In agent mode the CLI's own tools may run. */
  readonly isAgent: boolean;
  /** How the host answers permission requests; it is not asked without this. */
  readonly answer?: OddAnswer;
};

const BOTH: readonly WireName[] = ["claude", "codex"];
const LONG_PROMPT: Partial<RunRequest> = { prompt: "lorem ipsum ".repeat(80_000) };

/** Programs that print or read in a hostile way. */
const OUTPUT = program([
  ...["answers", "exits-at-once", "exits-with-255", "says-nothing", "floods-stdout", "floods-with-text", "floods-without-end"],
  ...["floods-stderr", "floods-both", "blank-lines", "half-a-line", "half-a-line-and-waits", "no-end", "zeros", "broken-utf8"],
  ...["utf16", "huge-line", "line-over-the-limit", "huge-answer", "only-carriage-returns", "terminal-codes", "byte-by-byte"],
  ...["closes-stdout", "answers-and-closes-stdout", "closes-stderr"],
]);
const INPUT = program(["closes-stdin", "never-reads", "answers-without-reading"], { request: LONG_PROMPT });

/** Programs whose lines are JSON with hostile values. */
const VALUES = program([
  ...["deep-json", "deep-end", "deep-failure", "same-keys", "prototype-failure", "odd-numbers", "negative-cost"],
  ...["wrong-types-at-the-end", "two-ends", "goes-on-after-the-end", "end-before-start", "many-starts", "long-failure"],
  ...["failure-of-many-lines", "empty-failure", "tells-secrets-on-stderr", "tells-secrets-in-its-failure"],
]);
const TOOLS = program(
  [
    ...["deep-tool-input", "deep-tool-output", "prototype-keys", "prototype-names", "wrong-types", "same-ids", "many-open-tools"],
    ...["odd-ids", "parents-in-a-circle"],
  ],
  { isAgent: true },
);
const ASKING = { isAgent: true, wires: ["claude"] } as const;
const QUESTIONS = [
  ...program(["deep-question", "odd-questions", "asks-and-never-reads"], { ...ASKING, answer: "allow" }),
  ...ODD_ANSWERS.flatMap((answer) => program([`asks-once@${answer}`], { ...ASKING, answer })),
];

/** Programs that leave processes or files behind, or do not end when they are told to. */
const PROCESSES = program([
  ...["ignores-signals", "ignores-signals-and-prints", "stops-itself", "leaves-a-process", "leaves-many-processes"],
  ...["leaves-a-holder-of-stdout", "leaves-a-holder-after-the-answer", "leaves-a-daemon", "starts-another-at-each-signal"],
  ...["is-followed-by-another", "chain-of-processes", "dies-by-kill", "dies-by-segv", "dies-by-abort", "signals-its-group"],
  ...["leaves-a-core-file", "fills-its-directory", "locks-its-directory", "removes-its-directory"],
]);
const LOST_PROCESSES = program(["clears-the-environment", "clears-the-environment-in-its-group", "changes-the-marker"], {
  isAgent: true,
  totalMs: 5000,
});

/** All hostile programs. */
export const HOSTILE_PROGRAMS: readonly HostileProgram[] = [
  ...OUTPUT,
  ...INPUT,
  ...VALUES,
  ...TOOLS,
  ...QUESTIONS,
  ...PROCESSES,
  ...LOST_PROCESSES,
];

function program(names: readonly string[], how: Partial<HostileProgram> = {}): readonly HostileProgram[] {
  return names.map((name) => ({ name, wires: BOTH, request: {}, isAgent: false, totalMs: 1500, ...how }));
}
