import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { PartOrder } from "./check-parts.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const begin: readonly LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }, { type: "response-metadata" }];
const finish: LanguageModelV4StreamPart = { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } };
const start: LanguageModelV4StreamPart = { type: "text-start", id: "1" };
const delta: LanguageModelV4StreamPart = { type: "text-delta", id: "1", delta: "a" };
const end: LanguageModelV4StreamPart = { type: "text-end", id: "1" };
const tool = { toolCallId: "t", toolName: "Read" };

function see(...parts: readonly LanguageModelV4StreamPart[]): void {
  const order = new PartOrder();
  for (const part of parts) order.see(part);
  order.end();
}

describe("the check of the order of parts", () => {
  it("accepts a text", () => {
    expect(() => see(...begin, start, delta, end, finish)).not.toThrow();
  });

  it.each([
    ["no beginning", [start, delta, end, finish]],
    ["a delta without a block", [...begin, delta, finish]],
    ["a block that stays open", [...begin, start, delta, finish]],
    ["a block that begins twice", [...begin, start, end, start, end, finish]],
    ["an empty delta", [...begin, start, { ...delta, delta: "" }, end, finish]],
    ["no finish", [...begin, start, delta, end]],
    ["a part behind finish", [...begin, finish, start]],
    ["a call without its input", [...begin, { type: "tool-call", ...tool, input: "{}" }, finish]],
    ["a result without a call", [...begin, { type: "tool-result", ...tool, result: 1 }, finish]],
    [
      "a call of the CLI without a result",
      [...begin, { type: "tool-call", ...tool, input: "{}", providerExecuted: true, dynamic: true }, finish],
    ],
  ] satisfies [string, LanguageModelV4StreamPart[]][])("refuses %s", (_, parts) => {
    expect(() => see(...parts)).toThrow("The order of parts is wrong");
  });
});
