import { objectOf } from "../../dialects/json-access.ts";
import type { Dialect } from "../../spec/dialect.ts";
import type { JsonValue } from "../../spec/json.ts";

/** Claude's language from a CLI that reckons with the prices of another vendor: the cost of its `result` lines is not read. */
export function withoutCost(dialect: Dialect): Dialect {
  return {
    start(context) {
      const turn = dialect.start(context);
      return { step: (native) => turn.step(dropCost(native)), finish: (exit) => turn.finish(exit) };
    },
  };
}

function dropCost(native: JsonValue): JsonValue {
  if (Array.isArray(native)) return native.map(dropCost);
  const line = objectOf(native);
  if (line?.["type"] !== "result") return native;
  const { total_cost_usd: _, ...rest } = line;
  return rest;
}
