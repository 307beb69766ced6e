import { expect, it } from "vitest";
import type { PromptRequest } from "../../spec/request.ts";
import { launchClaude } from "./launch.ts";
import { claude } from "./provider.ts";

it.each<[string, Partial<PromptRequest>, boolean]>([
  ["an agent", { mode: "agent" }, true],
  ["an agent of a session", { mode: "agent", session: { keep: true } }, true],
  ["a completion with servers", { mcpServers: {} }, false],
  ["a completion", {}, false],
])("%s with a budget in USD gets it as the limit of a process of its own if it may use tools", (_who, request, isLimited) => {
  const asked: PromptRequest = { prompt: "x", ...request, budget: { usd: 0.25, tokens: 10 } };
  const limit = ["--max-budget-usd", "0.25"];
  expect(launchClaude(asked, { answersPermissions: false }).args.slice(-2)).toEqual(
    isLimited ? limit : expect.not.arrayContaining(limit),
  );
  const isKept = claude.transports.resident?.serves({ ...asked, session: { keep: true } }, { answersPermissions: false });
  expect(isKept).toBe(!isLimited);
});
