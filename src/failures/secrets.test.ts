import { describe, expect, it } from "vitest";
import { createClient } from "../client.ts";
import { claude } from "../clis/claude/provider.ts";
import { builtinProviders } from "../clis/index.ts";
import type { McpServer } from "../spec/request.ts";
import { removeValues } from "./redact.ts";
import { givenValues, isSecretName, secretsOf, secretValues } from "./secrets.ts";

it.each([
  ...[
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY_2",
    "GH_TOKEN",
    "TOKEN_OF_ACME",
    "DB_PASSWORD",
    "SECRET_KEY_BASE",
    "MY_PAT",
    "SMTP_PASS",
  ],
  ...["apiKey", "x-api-key", "Authorization", "client_secret", "refreshToken", "SIGNING_KEY", "PGPASSWORD_PASSWD", "set-cookie"],
])("%s is the name of a secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  ...["PATH", "PWD", "OLDPWD", "HOME", "KEY", "LANG", "SSH_AUTH_SOCK", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "GROK_MAX_TOKENS"],
  ...[
    "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "PASSWORD_STORE_DIR",
    "max_tokens",
    "keyboard",
    "",
  ],
])("%j is not", (name) => {
  expect(isSecretName(name)).toBe(false);
});

describe("the secrets of an environment", () => {
  it("are those with such a name, those that are known, and those in JSON; the longest first", () => {
    const config = JSON.stringify({ provider: { acme: { options: { apiKey: "inline-key", baseURL: "https://acme.example" } } } });
    const variables = { ACME_TOKEN: "one two", MINE: "known value", CONFIG: config, PATH: "/usr/bin", NONE: undefined };
    expect(secretValues(variables, ["MINE"])).toEqual(["known value", "inline-key", "one two"]);
  });

  it("are no short values, no paths of credential files, and no placeholders", () => {
    const variables = { A_TOKEN: "short", GOOGLE_APPLICATION_CREDENTIALS: "/home/me/key.json", B_TOKEN: "\0env:A_TOKEN\0" };
    expect(secretValues(variables)).toEqual([]);
  });

  it("contain the token of a header and each long line of a value", () => {
    expect(secretValues({ AUTHORIZATION: "Bearer abcdef" })).toEqual(["abcdef"]);
    const lines = ["X-One: first-of-the-headers", "X-Two: 2"];
    expect(secretValues({ HEADERS: lines.join("\n") }, ["HEADERS"])).toEqual([
      lines.join("\n"),
      lines[0],
      "first-of-the-headers",
    ]);
  });
});

describe("a value in a text", () => {
  const value = 'plain "words"\nof a pass$phrase';

  it("is removed as it is, with other white space, and with the escapes of JSON, URLs and HTML", () => {
    const forms = [value, value.replace("\n", " "), JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
    const path = "of/a?pass&phrase";
    const inPaths = [encodeURI(path), "of%2fa%3fpass%26phrase", path.replace("/", "\\/"), path.replace("&", "&amp;")];
    for (const form of inPaths) expect(removeValues(`before ${form} after`, [path])).toBe("before [redacted] after");
    for (const form of forms) expect(removeValues(`before ${form} after`, [value])).toBe("before [redacted] after");
  });

  it("is removed where a limit has cut it", () => {
    expect(removeValues(`see ${value.slice(0, 12)}`, [value])).toBe("see [redacted]");
    expect(removeValues(`see ${value.slice(0, 12)}…`, [value])).toBe("see [redacted]…");
    expect(removeValues(`${value.slice(-12)} is wrong`, [value])).toBe("[redacted] is wrong");
  });

  it("is removed each time, the longer of two values first", () => {
    expect(removeValues("abcdef-1 abcdef abcdef-1", ["abcdef", "abcdef-1"])).toBe("[redacted] [redacted] [redacted]");
  });

  it("is not found in other words", () => {
    expect(removeValues("nothing of the kind", [value, "unkind"])).toBe("nothing of the kind");
  });
});

it.each([
  "planted-secret-1",
  "hunter22-of-acme",
  "correct horse battery staple",
  "9f8e7d6c5b4a39281706",
  "A1b2C3d4E5",
  "QmFzZTY0IG9mIHNvbWV0aGluZw==",
  "abcdefghijklmnopqrstuvwxyz",
  "user@example.com:pass",
])("%j is a secret, whatever its variable is called", (value) => {
  for (const name of ["NOTE", "X-Custom", "FOO_BAR"]) expect(givenValues({ [name]: value })).toEqual([value]);
});

it.each([
  ...["", "1", "true", "false", "yes", "debug", "localhost", "production", "development", "information"],
  ...["application/json", "text/event-stream", "12345678", "2024-01-01", "1.18.33-1", "127.0.0.1:8080", "api.example.com:443"],
  ...["/home/me/some-project", "/usr/local/bin:/usr/bin", "~/notes-of-mine", "./relative/place", "C:\\Users\\me"],
  ...["https://api.example.com/v1", "http://127.0.0.1:9999", "en_US.UTF-8", "Europe/Berlin"],
])("%j is an ordinary value", (value) => {
  expect(givenValues({ NOTE: value, "X-Custom": value })).toEqual([]);
});

it("a name may say that its value is public, or that it is a secret", () => {
  const model = "claude-sonnet-4-5-20250929";
  expect(givenValues({ ANTHROPIC_MODEL: model, "user-agent": "coxswain/1.2.3 x", AWS_REGION: "us-east-1" })).toEqual([]);
  expect(givenValues({ API_KEY: "production" })).toEqual(["production"]);
});

it("the scheme of an authorization is no secret, nor are the other values of a setting that is JSON", () => {
  expect(givenValues({ "X-Upstream": "Bearer planted-1" })).toEqual(["planted-1"]);
  const config = JSON.stringify({ model: "some-model-1", options: { apiKey: "planted-2" } });
  expect(givenValues({ CONFIG_CONTENT: config })).toEqual(["planted-2"]);
});

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
