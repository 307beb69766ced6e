import { describe, expect, it } from "vitest";
import { createClient } from "../client.ts";
import { claude } from "../clis/claude/provider.ts";
import { builtinProviders } from "../clis/index.ts";
import type { McpServer } from "../spec/request.ts";
import { secretsOf } from "./run-secrets.ts";

function secretsIn(server: McpServer): readonly string[] {
  return secretsOf(claude, { mcpServers: { server } }, {})();
}

describe("the secrets of an MCP server's arguments", () => {
  it.each([
    { args: ["--token", "s3cret-1"], secrets: ["s3cret-1"] },
    { args: ["--api-key=s3cret-1", "--key", "s3cret-22"], secrets: ["s3cret-1", "s3cret-22"] },
    { args: ["-e", "GITHUB_TOKEN=s3cret-1"], secrets: ["s3cret-1"] },
    { args: ["--header", "Authorization: Bearer s3cret-1"], secrets: ["s3cret-1"] },
    { args: ["--header=X-Api-Key: s3cret-1", "a=".repeat(50_000)], secrets: ["s3cret-1"] },
    { args: ["remote", "https://a.example/mcp?key=s3cret-1"], secrets: ["s3cret-1"] },
    { args: ["--token", "--verbose", "--max-tokens", "100000", "--token-file", "/run/token"], secrets: [] },
    { args: ["-y", "a-server@latest", "/home/me/notes", "--mode=readonly", "--token"], secrets: [] },
  ])("case %#: $secrets", ({ args, secrets }) => {
    expect(secretsIn({ command: "npx", args })).toEqual(secrets);
  });
});

describe("the secrets of an MCP server's URL", () => {
  it.each([
    { url: "https://a.example/mcp?key=s3cret-1&n=5#top", secrets: ["s3cret-1"] },
    { url: "https://a.example/mcp?config=a%2Bb%3Dc-d", secrets: ["a%2Bb%3Dc-d", "a+b=c-d"] },
    { url: "https://a.example/mcp?config=100%-of-it", secrets: ["100%-of-it"] },
    { url: "https://u:pw@a.example/mcp", secrets: ["u:pw@"] },
    { url: "https://me:p%40ssword@a.example/mcp", secrets: ["me:p%40ssword@", "p%40ssword", "p@ssword"] },
    { url: "https://s3cret-1@a.example/mcp", secrets: ["s3cret-1"] },
    { url: "https://a.example/users/me@a.example/mcp", secrets: [] },
  ])("$url: $secrets", ({ url, secrets }) => {
    expect(secretsIn({ type: "http", url })).toEqual(secrets);
  });
});

it.each(["claude", "qwen", "opencode", "copilot"])("the plan of %s shows no secret of an MCP server", (id) => {
  const known = builtinProviders.map((provider) => ({ ...provider, binary: { names: ["node"] } }));
  const client = createClient({ providers: known });
  const planned = client.plan(id, {
    prompt: "Hello",
    mode: "agent",
    mcpServers: {
      near: { command: "near", args: ["--token", "seven-herons", "--api-key=blue-herons", "--depth", "3"] },
      far: {
        type: "http",
        url: "https://u:pw@far.example/mcp?key=white-herons",
        headers: { Authorization: "Bearer grey-herons" },
      },
    },
  });
  const shown = JSON.stringify(planned);
  expect(shown).toContain("far.example/mcp?key=[redacted]");
  expect(shown).toContain("--depth");
  expect(shown).not.toMatch(/herons|u:pw/);
});
