import { claudeAskingInput, claudeNextInput } from "../../dialects/claude/claude-input.ts";
import { claudeStream } from "../../dialects/claude/claude-stream.ts";
import { readTextLine } from "../../dialects/claude/claude-text-line.ts";
import { objectOf } from "../../dialects/kit/json-access.ts";
import type { JsonValue } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnReader } from "../../spec/wire/define-wire.ts";

/** Claude's wire for a CLI that computes costs with another vendor's prices: the cost of its `result` lines is ignored. */
export const glmStream: SimpleWire = defineWire<TurnReader>({
  input: claudeAskingInput,
  nextInput: claudeNextInput,
  readLine: readTextLine,
  start: claudeStream.start,
  step: (turn, native) => turn.step(dropCost(native)),
  answer: (turn, requestId, answer) => turn.answer?.(requestId, answer) ?? NO_STEP,
  park: (turn) => turn.park?.() ?? NO_STEP,
  spent: { counts: "tokens", read: (turn) => turn.spent?.() },
  interrupt: (turn) => turn.interrupt(),
  finish: (turn, exit) => turn.finish(exit),
});

function dropCost(native: JsonValue): JsonValue {
  if (Array.isArray(native)) return native.map(dropCost);
  const line = objectOf(native);
  if (line?.["type"] !== "result") return native;
  const { total_cost_usd: _, ...rest } = line;
  return rest;
}
