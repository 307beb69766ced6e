import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/index.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import { writeProgram } from "../../support/clis/write-program.ts";

let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "connection-settings-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const COMPANY = 'model_provider = "company"\n[model_providers.company]\n';

it.each<[target: string, file: string, content: string, message: string]>([
  ["codex", ".codex/config.toml", 'profile = "work"', "profile in"],
  ["codex", ".codex/config.toml", 'cli_auth_credentials_store = "keyring"', "cli_auth_credentials_store in"],
  ["codex", ".codex/config.toml", 'model_provider = "amazon-bedrock"', "model_provider in"],
  ["codex", ".codex/config.toml", `${COMPANY}query_params = { api_key = "my-secret" }`, "query_params.api_key in"],
  ["codex", ".codex/config.toml", `${COMPANY}base_url = "https://me:my-secret@host/v1"`, "company.base_url in"],
  ["codex", ".codex/config.toml", 'openai_base_url = "https://me:my-secret@host/v1"', "openai_base_url in"],
  ["codex", ".codex/config.toml", 'cli_auth_credentials_store = "auto"', "cli_auth_credentials_store in"],
  ["codex", ".codex/config.toml", 'openai_base_url = "https://host/sk-my-secret-0123456789/v1"', "openai_base_url in"],
  ["codex", ".codex/config.toml", 'chatgpt_base_url = "https://host/token/my-secret/v1"', "chatgpt_base_url in"],
  [
    "codex",
    ".codex/config.toml",
    `${COMPANY}base_url = "https://host/v1/0f9a8b7c6d5e4f3a2b1c0d/my-secret"`,
    "company.base_url in",
  ],
  ["codex", ".codex/config.toml", 'openai_base_url = "https://host/v1?sig=my-secret"', "openai_base_url in"],
  ["codex", ".codex/config.toml", `${COMPANY}base_url = "https://host/v1?k=my-secret"`, "company.base_url in"],
  ["codex", ".codex/config.toml", `${COMPANY}query_params = { code = "my-secret" }`, "query_params.code in"],
  [
    "codex",
    ".codex/config.toml",
    `${COMPANY}auth = { command = "a", args = ["--password", "my-secret"] }`,
    "company.auth.args in",
  ],
  ["codex", ".codex/config.toml", `${COMPANY}auth = { command = "a", args = ["--api-key=my-secret"] }`, "company.auth.args in"],
  ["codex", ".codex/config.toml", 'a = 1\ntoken = "my-secret', "config.toml cannot be read as TOML in line 2"],
  ["claude", ".claude/settings.json", '{ "env": { "ANTHROPIC_API_KEY": "my-secret" ', "settings.json cannot be read"],
  ["gemini", ".gemini/settings.json", '"my-secret"', "settings.json is no object"],
  ["grok", ".grok/requirements.toml", '[endpoints]\ndeployment_key = "my-secret"', "endpoints.deployment_key in"],
  [
    "opencode/anthropic/opus",
    ".config/opencode/opencode.jsonc",
    '{ "provider": { "anthropic": {}, }, }',
    "provider.anthropic in",
  ],
  ["opencode/my.host/opus", ".config/opencode/opencode.json", '{ "provider": { "my.host": {} } }', "provider.my.host in"],
])("a completion of %s is refused for the setting in %s: %s", (target, file, content, message) => {
  plant(file, content);
  const planned = plan(target, { prompt: "Hello" });
  expect(planned).toMatchObject({ failure: { code: "cli-misconfigured", message: expect.stringContaining(message) } });
  expect(JSON.stringify(planned)).not.toContain("my-secret");
});

it.each(["claude", "glm"])(
  "a completion of %s gets the connection variables of its user's settings, and no others",
  async (cli) => {
    const env = {
      ...{
        ANTHROPIC_BASE_URL: "http://own.invalid",
        CLAUDE_CODE_USE_VERTEX: 1,
        CLOUD_ML_REGION: "here",
        https_proxy: "http://proxy.invalid",
      },
      ...{
        NODE_OPTIONS: "--require ./own.js",
        MAX_THINKING_TOKENS: "7",
        CLAUDE_CODE_SKIP_PROMPT_HISTORY: "1",
        LD_PRELOAD: "own.so",
      },
    };
    plant(".claude/settings.json", JSON.stringify({ env }));
    const program = writeProgram(join(home, cli), `env > "$HOME/variables"\nexit 1`);
    const surroundings = { HOME: home, PATH: process.env["PATH"] ?? "", XDG_STATE_HOME: join(home, "state"), ZAI_API_KEY: "key" };
    const client = createClient({ env: surroundings, binaries: { [cli]: program }, policies: false });
    onTestFinished(() => client.close());
    await client.run(cli, { prompt: "Hello" }).outcome();
    const names = new Map(
      readFileSync(join(home, "variables"), "utf8")
        .split("\n")
        .map((line) => [line.split("=")[0] ?? "", line]),
    );
    const got = Object.keys(env).filter((name) => names.has(name));
    const isClaude = cli === "claude";
    expect(names.get("ANTHROPIC_BASE_URL")?.endsWith("=http://own.invalid")).toBe(isClaude);
    expect(got).toEqual([
      "ANTHROPIC_BASE_URL",
      ...(isClaude ? ["CLAUDE_CODE_USE_VERTEX"] : []),
      "CLOUD_ML_REGION",
      "https_proxy",
    ]);
  },
);

it("the table of a provider without a secret reaches Codex whole", () => {
  const auth = 'auth = { command = "gcloud", args = ["auth", "print-access-token", "--key-file", "/a/key"] }';
  plant(".codex/config.toml", `${COMPANY}base_url = "https://host/v1"\nquery_params = { api-version = "2026-01-01" }\n${auth}`);
  const planned = JSON.stringify(plan("codex", { prompt: "Hello" }));
  for (const words of ["https://host/v1", "2026-01-01", "print-access-token", "/a/key"]) expect(planned).toContain(words);
});

it.each([
  "https://company.openai.azure.com/openai/deployments/gpt-5-codex-deployment-2026/v1",
  "https://gateway.example.org:8443/api-management/authentication-proxy/openai-compatible/v1beta2",
])("an address with an ordinary path reaches Codex: %s", (url) => {
  plant(".codex/config.toml", `${COMPANY}base_url = "${url}"`);
  expect(JSON.stringify(plan("codex", { prompt: "Hello" }))).toContain(url);
});

it("a setting that a completion cannot keep to does not hinder an agent", () => {
  plant(".codex/config.toml", 'profile = "work"');
  expect(plan("codex", { prompt: "Hello", mode: "agent", cwd: home })).toHaveProperty("plan");
});

const CODEX_MODEL = { file: ".codex/config.toml", content: 'model = "own-model"' };
const GEMINI_ENV = { file: ".gemini/.env", content: 'GEMINI_MODEL="own-model"\n' };
const GEMINI_MODEL = { file: ".gemini/settings.json", content: '{ "model": { "name": "own-model" } }' };

it.each([
  ["codex", "completion", "gpt-6.1-sol", undefined],
  ["codex", "completion", "own-model", CODEX_MODEL],
  ["codex", "agent", undefined, CODEX_MODEL],
  ["codex", "agent", undefined, undefined],
  ["gemini", "completion", "own-model", GEMINI_MODEL],
  ["gemini", "agent", undefined, GEMINI_MODEL],
  ["gemini", "agent", "gemini-3.8-flash", undefined],
  ["gemini", "completion", "own-model", { env: { GEMINI_MODEL: "own-model" } }],
  ["gemini", "agent", undefined, { env: { GEMINI_MODEL: "own-model" } }],
  ["gemini", "completion", "own-model", GEMINI_ENV],
  ["gemini", "agent", undefined, GEMINI_ENV],
  ["gemini", "completion", "own-model", { file: ".env", content: "GEMINI_MODEL=own-model\n" }],
  ["gemini", "completion", "inherited", { ...GEMINI_ENV, env: { GEMINI_MODEL: "inherited" } }],
  ["gemini", "completion", "gemini-3.8-flash", { ...GEMINI_ENV, env: { GEMINI_MODEL: "" } }],
] as const)("%s in %s mode gets the model %s with the settings %j", (cli, mode, model, settings) => {
  if (settings !== undefined && "file" in settings) plant(settings.file, settings.content);
  const env = settings !== undefined && "env" in settings ? settings.env : {};
  const request = { prompt: "Hello", mode, ...(mode === "agent" && { cwd: home }) };
  const planned = plan(cli, request, env);
  expect([modelIn(planned), modelIn(plan(`${cli}/named`, request, env))]).toEqual([model, "named"]);
  expect(planned).not.toMatchObject({ plan: { stripEnv: expect.arrayContaining(["GEMINI_MODEL"]) } });
});

function modelIn(planned: ReturnType<typeof plan>): string | undefined {
  if ("failure" in planned) throw new Error(planned.failure.message);
  const { args } = planned.plan;
  const at = args.findIndex((arg) => arg === "--model" || arg === "-m");
  return at === -1 ? undefined : args[at + 1];
}

function plant(file: string, content: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), content);
}

/** A plan with a program of the CLI's name, which is not started. */
function plan(
  target: string,
  request: RunRequest,
  env: Readonly<Record<string, string>> = {},
): ReturnType<ReturnType<typeof createClient>["plan"]> {
  const [id = ""] = target.split("/");
  writeProgram(join(home, id));
  const client = createClient({ env: { HOME: home, PATH: home, XDG_STATE_HOME: join(home, "state"), ...env }, guardian: false });
  return client.plan(target, request);
}
