import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { FakeAnswer, FakeApiRequest } from "../../src/testing/index.ts";
import type { ProviderName } from "../bill/conversation.ts";
import { type Charge, Ledger, type Told } from "../bill/scripted/ledger.ts";
import type { Act } from "../bill/scripted/model.ts";
import type { RealCli } from "../support/real-clis/real-cli.ts";

/** USD per token. */
export type Prices = { readonly fresh: number; readonly cacheRead: number; readonly output: number };

/** The fake model of one conversation at a time: each answer states other numbers, which it bills. */
export class BilledModel {
  ledger: Ledger = new Ledger();
  acts: Act[] = [];
  /** True if an answer is to be the object of the schema. */
  wantsObject = false;
  private readonly prices: Prices;
  private state = 0;

  constructor(prices: Prices) {
    this.prices = prices;
  }

  /** Begins another conversation. */
  begin(numbers: number): void {
    this.ledger = new Ledger();
    this.state = numbers;
  }

  answer(provider: ProviderName, { rawBody }: FakeApiRequest): FakeAnswer {
    const act = this.acts.shift() ?? "answer";
    if (act === "error") return { kind: "http-error", status: 500 };
    const charge = this.charge();
    const { inputTokens, outputTokens, cacheReadTokens } = charge;
    this.ledger.bill(provider, "", charge);
    const usage = { inputTokens, outputTokens, cacheReadTokens };
    if (act === "empty") return { kind: "empty", usage };
    if (act === "call" || act === "wrong-call") {
      const name = act === "call" ? "get_weather" : "get_wether";
      const call = `{"mark":"{{mark}}","tool_calls":[{"name":"${name}","args":{"city":"Oslo"},"id":"call_1"}]}`;
      return { kind: "text", text: `\`\`\`json\n${call}\n\`\`\``, usage };
    }
    if (act === "unfit" || !this.wantsObject) return { kind: "text", text: act === "unfit" ? "This is no JSON." : "Yes.", usage };
    const tool = provider === "claude" ? "StructuredOutput" : provider === "qwen" ? "structured_output" : undefined;
    if (tool === undefined || !rawBody.includes(`"${tool}"`)) return { kind: "text", text: '{"n":1}', usage };
    return { kind: "tool-calls", calls: [{ name: tool, input: { n: 1 } }], usage };
  }

  /** The run has ended: the CLI has told all that was billed in it. */
  endRun(told: Told): void {
    const { entries, run } = this.ledger;
    this.ledger.tell(
      entries.filter(({ madeIn }) => madeIn === run),
      told,
    );
  }

  private charge(): Charge {
    const [cacheReadTokens, fresh, outputTokens] = [this.next(900), this.next(9_000), this.next(700)];
    const { prices } = this;
    const costUsd = fresh * prices.fresh + cacheReadTokens * prices.cacheRead + outputTokens * prices.output;
    return { inputTokens: fresh + cacheReadTokens, outputTokens, cacheReadTokens, costUsd };
  }

  private next(bound: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + ((this.state >>> 8) % bound);
  }
}

/** What Claude Code itself says that a token costs, without Coxswain: by the running totals of three turns of one process. */
export async function pricesOf({ api, env, home }: Pick<RealCli, "api" | "env" | "home">): Promise<Prices> {
  const spent = [
    { inputTokens: 1_000, outputTokens: 0 },
    { inputTokens: 1_000, outputTokens: 0, cacheReadTokens: 1_000 },
    { inputTokens: 1_000, outputTokens: 1_000, cacheReadTokens: 1_000 },
  ];
  api.answerWith(spent.map((usage) => ({ kind: "text", text: "Yes.", usage })));
  const formats = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const child = spawn("claude", ["-p", ...formats, "--tools", "", "--no-session-persistence"], { env, cwd: home });
  const ended = once(child, "exit");
  const ask = (): boolean =>
    child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: "Is it so?" } })}\n`);
  ask();
  const totals: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    const { type, total_cost_usd } = JSON.parse(line);
    if (type !== "result") continue;
    totals.push(total_cost_usd);
    if (totals.length < spent.length) ask();
    else child.stdin.end();
  }
  await ended;
  const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = totals;
  const [fresh, cacheRead] = [first / 1_000, (second - first) / 1_000];
  return { fresh, cacheRead, output: (third - second) / 1_000 - cacheRead };
}
