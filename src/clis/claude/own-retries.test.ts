import { expect, it } from "vitest";
import type { PromptRequest } from "../../spec/request.ts";
import { launchClaude } from "./launch.ts";

const variables = (request: Partial<PromptRequest>): object =>
  launchClaude({ prompt: "hi", ...request }, { answersPermissions: false }).env ?? {};

const mcpServers = { local: { command: "server" } };

it("a completion has no retries of its own", () => {
  expect(variables({})).toHaveProperty("CLAUDE_CODE_MAX_RETRIES", "0");
  expect(variables({ mcpServers: {} })).toHaveProperty("CLAUDE_CODE_MAX_RETRIES", "0");
});

it.each([
  ["an agent", { mode: "agent" }],
  ["a completion with MCP servers", { mcpServers }],
] as const)("%s keeps those of the provider, because Coxswain repeats nothing after a tool has run", (_name, request) => {
  expect(variables(request)).not.toHaveProperty("CLAUDE_CODE_MAX_RETRIES");
});
