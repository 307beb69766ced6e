import { expect, it } from "vitest";
import type { PromptRequest } from "../../spec/request.ts";
import { launchClaude } from "./launch.ts";
import { claude } from "./provider.ts";

const retries = (request: Partial<PromptRequest>): string | undefined => {
  const { env = {} } = launchClaude({ prompt: "hi", ...request }, { answersPermissions: false });
  return { ...claude.env.set, ...env }["CLAUDE_CODE_MAX_RETRIES"];
};

it("a completion has no retries of its own", () => {
  expect(retries({})).toBe("0");
  expect(retries({ mcpServers: {} })).toBe("0");
});

it.each([
  ["an agent", { mode: "agent" }],
  ["a completion with MCP servers", { mcpServers: { local: { command: "server" } } }],
] as const)("%s has two, because Coxswain repeats nothing after a tool has run", (_name, request) => {
  expect(retries(request)).toBe("2");
});
