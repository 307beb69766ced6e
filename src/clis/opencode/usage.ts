import { amountOf, type JsonObject, objectOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

/** The tokens and the cost of a turn, added up over its steps. */
export class OpencodeUsage {
  private inputTokens = 0;
  private outputTokens = 0;
  private cacheReadTokens = 0;
  private cacheWriteTokens = 0;
  private reasoningTokens = 0;
  private costUsd = 0;

  /** Adds the part of a `step_finish` line. */
  add(part: JsonObject): void {
    const tokens = objectOf(part["tokens"]) ?? {};
    const cache = objectOf(tokens["cache"]) ?? {};
    const [read, write, reasoning] = [countOf(cache["read"]), countOf(cache["write"]), countOf(tokens["reasoning"])];
    this.cacheReadTokens += read;
    this.cacheWriteTokens += write;
    this.reasoningTokens += reasoning;
    this.inputTokens += countOf(tokens["input"]) + read + write;
    this.outputTokens += countOf(tokens["output"]) + reasoning;
    this.costUsd += countOf(part["cost"]);
  }

  /** The usage, if any step reported counts; OpenCode prints an unknown cost as zero. */
  report(): Extract<EventDraft, { type: "usage" }> | undefined {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = this;
    const isCounted = inputTokens !== 0 || outputTokens !== 0;
    const totalTokens = inputTokens + outputTokens;
    const counts = { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens };
    // Removes the rounding errors of sums of decimal fractions.
    const costUsd = Number(this.costUsd.toFixed(10));
    if (!isCounted && costUsd === 0) return undefined;
    const usage = { ...(isCounted && counts), estimated: false, scope: "turn" } as const;
    return { type: "usage", usage, ...(costUsd !== 0 && { costUsd }) };
  }
}

function countOf(value: JsonObject[string] | undefined): number {
  return amountOf(value) ?? 0;
}
