import { claudeStream } from "../../src/dialects/claude/claude-stream.ts";
import type { JsonValue } from "../../src/spec/json.ts";
import { defineWire, type SimpleWire, type TurnReader } from "../../src/spec/wire/define-wire.ts";
import type { WireStep } from "../../src/spec/wire/wire.ts";

/**
 * The wire of Claude Code with two more lines: the usage so far, and an object, both long before the end. A scripted process counts
 * from zero, also in a session that it continues.
 */
export const soakWire: SimpleWire = defineWire<TurnReader>({
  start: ({ continuesUnknown: _, ...context }) => claudeStream.start({ ...context, totalsBefore: [] }),
  step: (turn, native) => readOwnLine(native) ?? turn.step(native),
  finish: (turn, exit) => turn.finish(exit),
});

function readOwnLine(native: JsonValue): WireStep | undefined {
  if (typeof native !== "object" || native === null || !("type" in native)) return undefined;
  const { type, tokens, usd, object } = native;
  if (type === "soak_object" && object !== undefined) return { events: [{ type: "object-delta", object }] };
  if (type !== "soak_spending" || typeof tokens !== "number") return undefined;
  const usage = { totalTokens: tokens, inputTokens: tokens - 40, outputTokens: 40, estimated: false, scope: "turn" } as const;
  return { events: [{ type: "usage", usage, ...(typeof usd === "number" && { costUsd: usd }) }] };
}
