import type { JsonObject } from "../../spec/json.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { amountOf } from "../kit/json-access.ts";
import { toUsage } from "../kit/reported-usage.ts";

const NAMES = ["inputTokens", "outputTokens", "cachedReadTokens", "cachedWriteTokens", "thoughtTokens"] as const;

/** The token counts of a turn, under the names of the protocol: cached tokens are part of the input, thoughts of the output. */
export class AcpCounts {
  private readonly sums = new Map<string, number>();

  /** Adds the counts of one model response. */
  add(counts: JsonObject | undefined): void {
    if (counts === undefined) return;
    for (const name of NAMES) {
      const amount = amountOf(counts[name]);
      if (amount !== undefined) this.sums.set(name, (this.sums.get(name) ?? 0) + amount);
    }
  }

  /** The usage of the turn; undefined if nothing was counted. */
  toUsage(counts: JsonObject | undefined): Usage | undefined {
    this.add(counts);
    const [input, output, cacheRead, cacheWrite, thoughts] = NAMES.map((name) => this.sums.get(name));
    if (!input && !output) return undefined;
    const usage = toUsage(input, output);
    return (
      usage && {
        ...usage,
        ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
        ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
        ...(thoughts !== undefined && { reasoningTokens: thoughts }),
      }
    );
  }
}
