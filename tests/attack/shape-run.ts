import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinProviders, type Client, createClient, type RunEvent, type RunRequest } from "../../src/index.ts";
import type { Provider } from "../../src/provider.ts";
import { findBrokenRules } from "../support/runs/event-rules.ts";
import type { CasePlace } from "./case-place.ts";
import { claudeAnswer, type Delivery } from "./claude-answer.ts";
import { LoopWatch } from "./loop-watch.ts";
import { SHAPE_MARK, SHAPE_TOOL, type Shape } from "./shape.ts";

/** What an answer is read for. */
export type Reading = "tools" | "schema";

/** The measures of one run. */
export type ShapeRun = {
  readonly wallMs: number;
  /** CPU time of the host for one attempt; a corrected answer takes two. */
  readonly cpuMs: number;
  /** The longest time for which the event loop heard nothing. */
  readonly stallMs: number;
  /** CPU time from the moment of the abort to the end of the run, if the run did not end before. */
  readonly heardMs?: number;
  readonly problems: readonly string[];
};

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;

const REQUESTS: Readonly<Record<Reading, Partial<RunRequest>>> = {
  tools: { tools: [{ name: SHAPE_TOOL, description: "The weather in a city", parameters: CITY }] },
  schema: { outputSchema: CITY },
};

/** A client whose CLI prints the file answer.jsonl of the place; it has no schema option, so that schemas go by text. */
export function createShapeClient(place: CasePlace): Client {
  const claude = builtinProviders.find(({ id }) => id === "claude");
  if (claude === undefined) throw new Error("there is no provider claude");
  const script = new URL("./programs/prints-file.mjs", import.meta.url);
  const options = claude.options.filter((option) => option !== "output-schema");
  const provider: Provider = { ...claude, options, binary: { script } };
  return createClient({ providers: [provider], env: place.env, policies: false });
}

/** Makes the answer of the next runs; `mark` is that of their conversation. */
export function writeAnswer(place: CasePlace, shape: Shape, bytes: number, delivery: Delivery, mark: string): void {
  const text = shape.make(bytes).replaceAll(SHAPE_MARK, mark);
  writeFileSync(join(place.directory, "answer.jsonl"), claudeAnswer(text, delivery));
}

/** The mark in the last prompt; a prompt without tools has none. It is the same for all runs of this process. */
export function readMark(place: CasePlace): string {
  const prompt = readFileSync(join(place.directory, "prompt"), "utf8");
  return /\\"mark\\":\\"([a-z0-9]{12})\\"/.exec(prompt)?.[1] ?? "no-mark-here";
}

/** Runs the client once and measures it; `abortAfterMs` aborts the run at that time. */
export async function runShape(client: Client, reading: Reading, abortAfterMs?: number): Promise<ShapeRun> {
  const abort = new AbortController();
  const events: RunEvent[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const watch = new LoopWatch();
  const timer = abortAfterMs === undefined ? undefined : setTimeout(() => abort.abort(), abortAfterMs);
  const stream = client.run("claude", { prompt: "Say something.", ...REQUESTS[reading] }, { signal: abort.signal });
  for await (const event of stream) events.push(event);
  clearTimeout(timer);
  const wallMs = performance.now() - startedAt;
  const isLate = abortAfterMs !== undefined && wallMs > abortAfterMs;
  const heardMs = isLate ? watch.cpuSince(startedAt + abortAfterMs) : undefined;
  const stallMs = watch.end();
  const { user, system } = process.cpuUsage(cpuBefore);
  const attempts = events.filter(({ type }) => type === "attempt-start").length;
  await stream.outcome();
  return {
    wallMs,
    cpuMs: (user + system) / 1000 / Math.max(1, attempts),
    stallMs,
    ...(heardMs !== undefined && { heardMs }),
    problems: findBrokenRules(events),
  };
}
