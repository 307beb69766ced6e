import type { Charge, Entry, Ledger } from "./ledger.ts";

/** What a model does with one request. `error` costs nothing; all others are billed. */
export type Act = "answer" | "uncounted" | "unfit" | "call" | "wrong-call" | "empty" | "length" | "error";

/** A reply of the scripted model; `entry` is its bill. */
export type Reply = { readonly act: Act; readonly text: string; readonly entry: Entry | undefined };

/** USD per token, as the scripted Claude Code knows them. */
const PRICES = { input: 4e-6, cacheRead: 2e-7, output: 2e-5 };

/** The model of one conversation: it plays the acts of the current step, then answers, and bills what it does. */
export class ScriptedModel {
  acts: Act[] = [];
  /** The text of a fitting answer. */
  answer = "Yes.";
  private mark = "";
  private readonly ledger: Ledger;
  private readonly next: () => number;

  /** `next` gives whole numbers from 0 to 2^32. */
  constructor(ledger: Ledger, next: () => number) {
    this.ledger = ledger;
    this.next = next;
  }

  /** One request. */
  ask(cli: string, thread: string, prompt: string): Reply {
    this.mark = [...prompt.matchAll(/\\*"mark\\*":\\*"([a-z2-9]{12})\\*"/g)].at(-1)?.[1] ?? this.mark;
    const act = this.acts.shift() ?? "answer";
    if (act === "error") return { act, text: "", entry: undefined };
    return { act, text: this.textOf(act), entry: this.ledger.bill(cli, thread, this.charge()) };
  }

  private textOf(act: Act): string {
    if (act === "answer" || act === "uncounted") return this.answer;
    if (act === "call") return this.callOf("get_weather");
    if (act === "wrong-call") return this.callOf("get_wether");
    return act === "empty" ? "" : "This is no JSON.";
  }

  private callOf(name: string): string {
    const call = { mark: this.mark, tool_calls: [{ name, args: { city: "Oslo" }, id: "call_1" }] };
    return `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``;
  }

  private charge(): Charge {
    const cacheReadTokens = 1 + (this.next() % 900);
    const fresh = 1 + (this.next() % 9_000);
    const outputTokens = 1 + (this.next() % 700);
    const costUsd = fresh * PRICES.input + cacheReadTokens * PRICES.cacheRead + outputTokens * PRICES.output;
    return { inputTokens: fresh + cacheReadTokens, outputTokens, cacheReadTokens, costUsd };
  }
}
