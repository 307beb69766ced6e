import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import { type BilledCli, type Conversation, conversations, type ProviderName } from "../bill/conversation.ts";
import { judge } from "../bill/judge.ts";
import { type PlayedRun, Player } from "../bill/play.ts";
import { BILL_SEED, casesOf, playAll, textOf } from "../bill/report.ts";
import { prepareRealCli, REAL_CLIS } from "../support/real-clis/real-cli.ts";
import { BilledModel, pricesOf } from "./billed-model.ts";

const COUNT = 20;

/** The CLI, its longest conversation, and the CLI that its sessions are handed to. A start of Qwen or Gemini takes more than a second of processor time. */
const CLIS: readonly (readonly [BilledCli, number, ProviderName])[] = [
  ["claude 2.1.197", 2, "codex"],
  ["claude 2.1.326", 3, "codex"],
  ["codex", 4, "claude"],
  ["qwen", 2, "codex"],
  ["gemini", 2, "codex"],
];

console.log(`BILL_SEED=${BILL_SEED}`);

describe(`the bill of random conversations with the real CLIs, BILL_SEED=${BILL_SEED}`, () => {
  it.concurrent.each(CLIS)(
    `our counts of ${COUNT} conversations with %s are what the fake model billed`,
    { timeout: 400_000 },
    async (cli, longest, other) => {
      await using place = await openRealPlace(cli, other);
      const drawn = fc.sample(conversations(cli, { longest, others: [other], isReal: true }), {
        numRuns: COUNT,
        seed: BILL_SEED,
      });
      const reports = await playAll(cli, casesOf(drawn), 1, place.play);
      expect(textOf(reports)).toBe("");
    },
  );
});

type RealPlace = AsyncDisposable & { play(conversation: Conversation): Promise<readonly string[]> };

/** A CLI and another one, each with a fake model API; all conversations share one home and, as long as they stay in one client, the warm processes. */
async function openRealPlace(billed: BilledCli, otherName: ProviderName): Promise<RealPlace> {
  const name = billed.split(" ")[0] as ProviderName;
  const folder = billed === "claude 2.1.197" ? join(REAL_CLIS, "oldest") : undefined;
  const [cli, other] = await Promise.all([prepareRealCli(name, undefined, folder), prepareRealCli(otherName)]);
  const claude = [cli, other].find((one) => one.name === "claude");
  const model = new BilledModel(claude === undefined ? { fresh: 0, cacheRead: 0, output: 0 } : await pricesOf(claude));
  cli.api.answerWith((request) => model.answer(name, request));
  other.api.answerWith((request) => model.answer(otherName, request));
  const env = { ...other.env, ...cli.env, PATH: `${cli.env["PATH"]}:${other.env["PATH"]}` };
  const policies = { retry: { retries: 1, firstDelayMs: 1 }, cooldown: false } as const;
  const openClient = (isCold: boolean): Client =>
    createClient({ env, providers: [cli.provider, other.provider], policies, ...(isCold && { warm: false }) });
  const shared = { cold: openClient(true), warm: openClient(false) };
  const play = async (conversation: Conversation): Promise<readonly string[]> => {
    const isCold = conversation.warmth === "cold";
    const first = isCold ? shared.cold : shared.warm;
    const opened: Client[] = [];
    const open = (): Client => {
      // The first client stays open for the next conversation.
      const client = opened.length === 0 ? { ...first, close: async () => {} } : openClient(isCold);
      opened.push(client);
      return client;
    };
    const runs = await playSteps(new Player(open, name, conversation, cli.workspace), model, conversation, name);
    await Promise.all(opened.map((client) => client.close()));
    return judge(runs, model.ledger);
  };
  const dispose = async (): Promise<void> => {
    await Promise.all([shared.cold.close(), shared.warm.close()]);
    await Promise.all([cli[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  };
  return { play, [Symbol.asyncDispose]: dispose };
}

async function playSteps(
  player: Player,
  model: BilledModel,
  { steps, warmth, numbers }: Conversation,
  name: ProviderName,
): Promise<readonly PlayedRun[]> {
  model.begin(numbers);
  const runs: PlayedRun[] = [];
  for (const step of steps) {
    model.ledger.run = runs.length;
    model.acts = [...step.acts];
    model.wantsObject = step.do === "schema";
    runs.push(await player.play(step));
    // A resident Gemini does not tell all output tokens.
    model.endRun(name === "gemini" && warmth === "resident" ? "input" : "all");
  }
  return runs;
}
