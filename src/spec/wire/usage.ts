/**
 * The tokens of one run. A count that was not reported is absent, never zero. `inputTokens` includes the tokens read from and
 * written to caches; the cache counts are parts of it.
 */
export type Usage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Input plus output; absent while either is unknown. */
  readonly totalTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** True when the counts are `ceil(characters / 4)` because the CLI reported none. */
  readonly estimated: boolean;
  /** `turn`: this run alone. `thread`: the CLI reported only the total of the whole session, and what it was before this run is unknown. */
  readonly scope: "turn" | "thread";
};
