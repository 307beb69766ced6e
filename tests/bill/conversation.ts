import fc from "fast-check";
import type { Act } from "./scripted/model.ts";

/** The CLIs whose bills are judged. */
export const BILLED_CLIS = ["claude 2.1.197", "claude 2.1.326", "codex", "qwen", "gemini"] as const;

/** A CLI with the version that counts in its own way. */
export type BilledCli = (typeof BILLED_CLIS)[number];

const PROVIDERS = ["claude", "codex", "qwen", "gemini"] as const;

/** The names of the providers. */
export type ProviderName = (typeof PROVIDERS)[number];

const WARMTHS = ["cold", "default", "resident"] as const;

/** How the processes of a conversation are used: one for each attempt, kept as by default, or resident wherever the CLI allows it. */
export type Warmth = (typeof WARMTHS)[number];

/** What the model does in a step, one act for each request; it answers all further ones. */
type Acts = { readonly acts: readonly Act[] };

/** One step of a conversation; each is one run. */
export type Step = Acts &
  (
    | { readonly do: "new" | "turn" | "other-client" | "fork" | "other-session" | "schema" }
    | { readonly do: "run" | "messages" | "run-keep" | "run-resume" | "run-fork" | "run-resume-session" }
    | { readonly do: "tools"; readonly keep: boolean }
    | { readonly do: "hand-over" | "fallback" | "run-fallback"; readonly to: ProviderName }
  );

/** A conversation of two to eight runs. */
export type Conversation = {
  readonly mode: (typeof MODES)[number];
  readonly warmth: Warmth;
  readonly steps: readonly Step[];
  /** The beginning of the random numbers that the model bills. */
  readonly numbers: number;
};

/** Which conversations are drawn. */
type Drawing = {
  readonly longest?: number;
  /** The CLIs that take over from this one. */
  readonly others?: readonly ProviderName[];
  /** True: without what the real CLIs repeat for minutes, or do not tell, and with few starts of them. */
  readonly isReal?: boolean;
};

/** Any conversation with this CLI. */
export function conversations(
  cli: BilledCli,
  { longest = 8, others = PROVIDERS, isReal = false }: Drawing = {},
): fc.Arbitrary<Conversation> {
  const provider = cli.split(" ")[0] as ProviderName;
  const isPlayed = (acts: readonly Act[]): boolean => !isReal || !acts.some((act) => NOT_REAL[provider].includes(act));
  const acts = { failed: FAILED[provider].filter(isPlayed), odd: ODD[provider].filter(isPlayed) };
  const to = fc.constantFrom(...others.filter((name) => name !== provider));
  const doings = acts.failed.length > 0 ? DOINGS : DOINGS.filter((doing) => doing !== "fallback" && doing !== "run-fallback");
  const any = fc.constantFrom(...doings).chain((doing) => stepOf(doing, acts, to));
  const lengths = fc.constantFrom(...LENGTHS.filter((length) => length <= longest));
  const rest = lengths.chain((length) => fc.array(any, { minLength: length - 1, maxLength: length - 1 }));
  return fc.record<Conversation>({
    mode: fc.constantFrom(...(isReal ? FEW_AGENTS : MODES)),
    warmth: fc.constantFrom(...(isReal ? FEW_STARTS[provider] : WARMTHS)),
    steps: rest.map((steps) => [{ do: "new", acts: [] }, ...steps]),
    numbers: fc.integer({ min: 1, max: 2 ** 31 }),
  });
}

/** Most faults need few turns, and each turn costs a process. */
const LENGTHS = [2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 6, 7, 8];

const MODES = ["completion", "agent"] as const;
const FEW_AGENTS = ["completion", "completion", "completion", "agent"] as const;

/** Gemini keeps a process only if the target asks for it. */
const FEW_STARTS: Readonly<Record<ProviderName, readonly Warmth[]>> = {
  claude: ["cold", "default", "default", "resident"],
  codex: WARMTHS,
  qwen: ["cold", "default", "default", "resident"],
  gemini: ["cold", "default", "resident", "resident"],
};

const DOINGS: readonly Step["do"][] = [
  ...(["turn", "turn", "turn", "other-client", "other-client", "fork", "other-session", "new", "schema", "schema"] as const),
  ...([
    "tools",
    "tools",
    "run",
    "messages",
    "messages",
    "run-keep",
    "run-resume",
    "run-fork",
    "run-resume-session",
    "run-resume-session",
  ] as const),
  ...(["hand-over", "fallback", "run-fallback"] as const),
];

/** Failures that Coxswain answers by another attempt: an error costs nothing, an empty answer was billed. */
const FAILED: Readonly<Record<ProviderName, readonly (readonly Act[])[]>> = {
  claude: [["error"], ["empty", "error"]],
  codex: [["error"]],
  qwen: [["error"]],
  gemini: [["error"], ["empty"]],
};

/** Turns whose bill is not in the usual place; Coxswain does not repeat the cut answer of Codex. */
const ODD: Readonly<Record<ProviderName, readonly (readonly Act[])[]>> = {
  claude: [["uncounted"]],
  codex: [["length"]],
  qwen: [],
  gemini: [],
};

/** Claude and Qwen repeat a failed request for minutes. The others are told later or never, or need a limit of the CLI. */
const NOT_REAL: Readonly<Record<ProviderName, readonly Act[]>> = {
  claude: ["error", "uncounted"],
  codex: ["length"],
  qwen: ["error"],
  gemini: ["empty"],
};

type PlayedActs = { readonly failed: readonly (readonly Act[])[]; readonly odd: readonly (readonly Act[])[] };

const UNFIT: readonly (readonly Act[])[] = [[], ["unfit"], ["unfit", "unfit"], ["unfit", "unfit", "unfit", "unfit"]];

const CALLS: readonly (readonly Act[])[] = [["call"], ["call", "call"], ["wrong-call", "call"], ["call", "wrong-call"], []];

function stepOf(doing: Step["do"], { failed, odd }: PlayedActs, to: fc.Arbitrary<ProviderName>): fc.Arbitrary<Step> {
  if (doing === "schema") return fc.record({ do: fc.constant(doing), acts: fc.constantFrom(...UNFIT) });
  if (doing === "tools") return fc.record({ do: fc.constant(doing), keep: fc.boolean(), acts: fc.constantFrom(...CALLS) });
  if (doing === "hand-over") return fc.record({ do: fc.constant(doing), to, acts: fc.constant([]) });
  if (doing === "fallback" || doing === "run-fallback") {
    // One retry: two failed attempts, then the next target.
    const gone = fc.constantFrom(...failed).map((acts) => [...acts, ...acts]);
    return fc.record({ do: fc.constant(doing), to, acts: gone });
  }
  return fc.record({ do: fc.constant(doing), acts: fc.constantFrom<readonly Act[]>([], [], ...failed, ...odd) });
}
