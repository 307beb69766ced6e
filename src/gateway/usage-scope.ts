import type { RunResult } from "../spec/result.ts";

type Scoped = Pick<RunResult, "usage" | "costScope">;

/** The headers of a whole answer whose tokens or cost are those of a whole session. */
export function scopeHeaders(result: Scoped): Readonly<Record<string, string>> {
  return named(result, ["x-coxswain-usage-scope", "x-coxswain-cost-scope"]);
}

/** Says the same as `scopeHeaders` in the usage of a body: the headers of a stream are sent before the scope is known, and its usage comes last. */
export function scopeFields(result: Scoped): Readonly<Record<string, string>> {
  return named(result, ["x_coxswain_usage_scope", "x_coxswain_cost_scope"]);
}

function named({ usage, costScope }: Scoped, [ofUsage, ofCost]: readonly [string, string]): Readonly<Record<string, string>> {
  return {
    ...(usage?.scope === "thread" && { [ofUsage]: usage.scope }),
    ...(costScope !== undefined && { [ofCost]: costScope }),
  };
}
