import { describe, expect, it } from "vitest";
import type { McpServers } from "../spec/request.ts";
import { refuseCodexServers } from "./codex/mcp-config.ts";
import { builtinProviders, toMcpConfig } from "./index.ts";

const SERVERS: McpServers = {
  notes: { command: "notes", args: ["--quiet", 'a "b"'], env: { NOTES_TOKEN: "top-secret" }, required: true },
  web: { type: "http", url: "https://web.example/mcp", headers: { Authorization: "Bearer top-secret" } },
};

const NOTES = { command: "notes", args: ["--quiet", 'a "b"'], env: { NOTES_TOKEN: "top-secret" } };
const WEB = { url: "https://web.example/mcp", headers: { Authorization: "Bearer top-secret" } };

describe("the MCP servers of a request in the form of each CLI", () => {
  it.each([
    { provider: "claude-code", place: "--mcp-config", content: { mcpServers: { notes: NOTES, web: { type: "http", ...WEB } } } },
    {
      provider: "qwen",
      place: "--mcp-config",
      content: { mcpServers: { notes: NOTES, web: { httpUrl: WEB.url, headers: WEB.headers } } },
    },
    {
      provider: "gemini",
      place: ".gemini/settings.json",
      content: {
        mcpServers: { notes: { ...NOTES, trust: true }, web: { httpUrl: WEB.url, headers: WEB.headers, trust: true } },
      },
    },
    {
      provider: "copilot",
      place: "--additional-mcp-config",
      content: { mcpServers: { notes: { type: "local", ...NOTES, tools: ["*"] }, web: { type: "http", ...WEB, tools: ["*"] } } },
    },
    {
      provider: "opencode",
      place: "OPENCODE_CONFIG",
      content: {
        mcp: {
          notes: { type: "local", command: ["notes", ...NOTES.args], environment: NOTES.env, enabled: true },
          web: { type: "remote", ...WEB, enabled: true },
        },
      },
    },
  ])("$provider gets them by $place", ({ provider, place, content }) => {
    const config = toMcpConfig(provider, SERVERS);
    expect(config.place).toBe(place);
    expect(JSON.parse(config.content)).toEqual(content);
  });

  it("codex gets settings without secrets, which are in variables", () => {
    expect(toMcpConfig("codex", SERVERS)).toEqual({
      place: "-c",
      content: [
        'mcp_servers.notes.command="notes"',
        'mcp_servers.notes.args=["--quiet","a \\"b\\""]',
        'mcp_servers.notes.env_vars=["NOTES_TOKEN"]',
        "mcp_servers.notes.required=true",
        'mcp_servers.web.url="https://web.example/mcp"',
        'mcp_servers.web.env_http_headers={"Authorization"="COXSWAIN_MCP_WEB_1"}',
      ].join("\n"),
      env: { NOTES_TOKEN: "top-secret", COXSWAIN_MCP_WEB_1: "Bearer top-secret" },
    });
  });

  it.each(
    builtinProviders.filter(({ mcpConfig }) => mcpConfig !== undefined).map((provider) => [provider.id, provider] as const),
  )("the launch of %s passes on exactly that, and no secret is in its arguments", (_, provider) => {
    const { launch } = provider.transports.spawn;
    const {
      args,
      env = {},
      tempFiles = [],
      homeFiles = [],
    } = launch({ prompt: "hi", mcpServers: SERVERS }, { answersPermissions: false, env: { ZAI_API_KEY: "key" } });
    const passed = JSON.stringify([args, tempFiles.map(({ content }) => content), homeFiles.map(({ content }) => content)]);
    expect(JSON.stringify(args)).not.toContain("top-secret");
    const { content, env: variables = {} } = toMcpConfig(provider, SERVERS);
    for (const text of content.startsWith("{") ? ["notes", "web.example"] : content.split("\n"))
      expect(passed).toContain(JSON.stringify(text).slice(1, -1));
    expect(env).toMatchObject(variables);
  });

  it("a provider that takes no MCP servers, or that does not exist, is a TypeError", () => {
    expect(() => toMcpConfig("grok", SERVERS)).toThrow(new TypeError("Grok Build takes no MCP servers."));
    expect(() => toMcpConfig("none", SERVERS)).toThrow(new TypeError('There is no provider "none".'));
  });
});

it.each([
  {
    what: "a name with a dot",
    servers: { "my.notes": { command: "notes" } },
    message: /no MCP server with the name "my\.notes"/,
  },
  {
    what: "a URL with a query",
    servers: { web: { type: "http", url: "https://x.example/?key=1" } },
    message: /would be an argument/,
  },
  {
    what: "a variable that Codex reads",
    servers: { a: { command: "a", env: { OPENAI_API_KEY: "1" } } },
    message: /variable OPENAI_API_KEY/,
  },
  {
    what: "a variable with two values",
    servers: { a: { command: "a", env: { KEY: "1" } }, b: { command: "b", env: { KEY: "2" } } },
    message: /MCP server "b" its own value of the variable KEY/,
  },
] as { what: string; servers: McpServers; message: RegExp }[])("codex refuses $what", ({ servers, message }) => {
  expect(refuseCodexServers({ prompt: "hi", mcpServers: servers })).toMatchObject({
    code: "option-unsupported",
    message: expect.stringMatching(message),
  });
});

it("servers of one variable with one value are not refused by codex", () => {
  const env = { KEY: "1" };
  expect(
    refuseCodexServers({ prompt: "hi", mcpServers: { a: { command: "a", env }, "b-2": { command: "b", env } } }),
  ).toBeUndefined();
});
