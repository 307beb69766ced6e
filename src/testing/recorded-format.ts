import type { OutputFormat } from "../spec/wire.ts";

/** Words that stand one after another in the arguments of a CLI, and the format that they mean. */
type FormatSign = readonly [words: readonly string[], format: OutputFormat];

const NAMED: readonly FormatSign[] = [
  [["--output-format", "stream-json"], "stream-json"],
  [["--output-format", "json"], "json"],
];
const NAMED_BY_LETTER: readonly FormatSign[] = [...NAMED, [["-o", "stream-json"], "stream-json"], [["-o", "json"], "json"]];
const ROLE_MESSAGES: readonly FormatSign[] = [
  [["--json"], "json"],
  [[], "stream-json"],
];

/** How the recorded CLIs, as their recordings call them, were told what to print; the first sign that is there decides. */
const SIGNS: Readonly<Record<string, readonly FormatSign[]>> = {
  codex: [[["--json"], "stream-json"]],
  gemini: NAMED_BY_LETTER,
  qwen: NAMED_BY_LETTER,
  opencode: [[["--format", "json"], "stream-json"]],
  copilot: [[["--output-format", "json"], "stream-json"]],
  "grok-build": [
    [["--output-format", "streaming-messages-json"], "stream-json"],
    [["--output-format", "streaming-json"], "stream-json"],
    [["--output-format", "json"], "json"],
    [["--output-format"], "text"],
    [["--json-schema"], "json"],
  ],
  grok: ROLE_MESSAGES,
  "ax-glm": ROLE_MESSAGES,
  "ax-grok": ROLE_MESSAGES,
};

/** The format that a recorded CLI was told to print; where nothing is said, and where it refused what was said, that is text. */
export function recordedFormat(cli: string, argv: readonly string[]): OutputFormat {
  const signs = SIGNS[cli] ?? NAMED;
  return signs.find(([words]) => stands(words, argv))?.[1] ?? "text";
}

function stands(words: readonly string[], argv: readonly string[]): boolean {
  return words.length === 0 || argv.some((_, at) => words.every((word, index) => argv[at + index] === word));
}
