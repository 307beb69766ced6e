import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Target } from "../../../src/spec/request.ts";
import type { CliName } from "../../support/real-clis/rows/cli-row.ts";

/** Settings of a user that name an endpoint or a credential, and what the endpoint must get. */
export type ConnectionCase = {
  readonly cli: CliName;
  /** The setting, as a user writes it. */
  readonly setting: string;
  /** Writes the settings; `second` is the endpoint that they name, `first` one that they must not use. */
  readonly plant: (place: { readonly home: string; readonly first: string; readonly second: string }) => void;
  /** Variables of the environment besides those of the CLI's row; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The target, if it is not the one of the row. */
  readonly target?: string | Target;
  /** The credential that the endpoint must get, in any header. */
  readonly credential?: string;
  /** The model that the endpoint must be asked for. */
  readonly model?: string;
  /** The setting that a refusal names, instead of a request. */
  readonly refused?: string;
};

/** Writes a file below the home; an object as JSON. */
export function plantSettings(home: string, path: string, content: string | object): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const NO_KEY = { ANTHROPIC_API_KEY: undefined };

const CODEX_PROVIDER = (url: string, more = ""): string =>
  `model = "gateway-model" # of the company\nmodel_provider = "company"\n\n[model_providers.company]\nname = "Company"\nbase_url = "${url}/v1"\nwire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n${more}`;

/** Plants a `model_provider` whose key is in COMPANY_KEY. */
export function plantCodexProvider(home: string, url: string): void {
  plantSettings(home, ".codex/config.toml", CODEX_PROVIDER(url, 'env_key = "COMPANY_KEY"\n'));
}

const CLAUDE: readonly ConnectionCase[] = [
  {
    cli: "claude",
    setting: "env of settings.json",
    plant: ({ home, second }) =>
      plantSettings(home, ".claude/settings.json", {
        env: {
          ANTHROPIC_BASE_URL: second,
          ANTHROPIC_AUTH_TOKEN: "token-of-the-settings",
          ANTHROPIC_CUSTOM_HEADERS: "X-Team: blue",
        },
        hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo HOOK-OF-THE-USER" }] }] },
      }),
    env: NO_KEY,
    credential: "token-of-the-settings",
  },
  {
    cli: "claude",
    setting: "apiKeyHelper of settings.json",
    plant: ({ home, second }) => {
      plantSettings(home, "key.sh", "#!/bin/sh\necho key-of-the-helper\n");
      chmodSync(join(home, "key.sh"), 0o755);
      plantSettings(home, ".claude/settings.json", { env: { ANTHROPIC_BASE_URL: second }, apiKeyHelper: join(home, "key.sh") });
    },
    env: NO_KEY,
    credential: "key-of-the-helper",
  },
];

const CODEX: readonly ConnectionCase[] = [
  {
    cli: "codex",
    setting: "model_provider of config.toml with env_key",
    plant: ({ home, first, second }) =>
      plantSettings(
        home,
        ".codex/config.toml",
        `openai_base_url = "${first}/v1"\n${CODEX_PROVIDER(second, 'env_key = "COMPANY_KEY"\n')}`,
      ),
    env: { COMPANY_KEY: "key-of-the-company" },
    credential: "key-of-the-company",
    model: "gateway-model",
  },
  {
    cli: "codex",
    setting: "model_provider of config.toml with headers and a token",
    plant: ({ home, second }) =>
      plantSettings(
        home,
        ".codex/config.toml",
        CODEX_PROVIDER(
          second,
          'experimental_bearer_token = "token-in-the-file"\nhttp_headers = { "X-Team" = "header-in-the-file" }\n',
        ),
      ),
    target: { provider: "codex", transport: "resident" },
    credential: "token-in-the-file",
  },
  {
    cli: "codex",
    setting: "env_key in the .env of its home",
    plant: ({ home, second }) => {
      plantCodexProvider(home, second);
      plantSettings(home, ".codex/.env", "COMPANY_KEY=key-of-the-file\n");
    },
    credential: "key-of-the-file",
  },
  {
    cli: "codex",
    setting: "openai_base_url of config.toml",
    plant: ({ home, second }) => plantSettings(home, ".codex/config.toml", `openai_base_url = "${second}/v1"\n`),
    credential: "fake-key-of-the-suite",
    model: "gpt-6.1-sol",
  },
];

const GEMINI: readonly ConnectionCase[] = [
  {
    cli: "gemini",
    setting: ".env of its folder",
    plant: ({ home, second }) => {
      plantSettings(home, ".gemini/.env", `GEMINI_API_KEY="key-of-the-file"\nGOOGLE_GEMINI_BASE_URL=${second}\n`);
      plantSettings(home, ".gemini/settings.json", {
        security: { auth: { selectedType: "gemini-api-key" } },
        model: { name: "gemini-2.5-pro" },
      });
    },
    env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined },
    credential: "key-of-the-file",
    model: "gemini-2.5-pro",
  },
  {
    cli: "gemini",
    setting: "GEMINI_MODEL in .env of its folder",
    plant: ({ home, second }) =>
      plantSettings(
        home,
        ".gemini/.env",
        `GEMINI_API_KEY=key-of-the-file\nGOOGLE_GEMINI_BASE_URL=${second}\nGEMINI_MODEL=gemini-2.5-pro\n`,
      ),
    env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined, GEMINI_MODEL: undefined },
    credential: "key-of-the-file",
    model: "gemini-2.5-pro",
  },
];

const QWEN: readonly ConnectionCase[] = [
  {
    cli: "qwen",
    setting: ".env of its home",
    plant: ({ home, second }) =>
      plantSettings(
        home,
        ".qwen/.env",
        `OPENAI_API_KEY=key-of-the-file\nOPENAI_BASE_URL=${second}/v1\nOPENAI_MODEL=qwen3-coder-plus\n`,
      ),
    env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined },
    credential: "key-of-the-file",
  },
  {
    cli: "qwen",
    setting: "modelProviders and env of settings.json",
    plant: ({ home, second }) =>
      plantSettings(home, ".qwen/settings.json", {
        $version: 4,
        env: { COMPANY_KEY: "key-of-the-settings" },
        modelProviders: {
          openai: [{ id: "company-model", name: "Company", baseUrl: `${second}/v1`, envKey: "COMPANY_KEY" }],
        },
        security: { auth: { selectedType: "openai" } },
        model: { name: "company-model" },
      }),
    env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined, OPENAI_MODEL: undefined },
    credential: "key-of-the-settings",
  },
];

const OPENCODE: readonly ConnectionCase[] = [
  {
    cli: "opencode",
    setting: "provider of opencode.json",
    plant: ({ home, second }) =>
      plantSettings(
        home,
        ".config/opencode/opencode.json",
        `{ // the company's\n "provider": { "company": { "npm": "@ai-sdk/openai-compatible", "options": { "baseURL": "${second}/v1", "apiKey": "{file:./key.txt}" }, "models": { "fast": {} } } }, "instructions": ["AGENTS.md"] }`,
      ),
    target: "opencode/company/fast",
    refused: "provider.company",
  },
];

const OTHERS: readonly ConnectionCase[] = [
  {
    cli: "grok",
    setting: "model of config.toml",
    plant: ({ home, second }) =>
      plantSettings(
        home,
        ".grok/config.toml",
        `[models]\ndefault = "company"\n[model.company]\nmodel = "company-model"\nbase_url = "${second}/v1"\nenv_key = "COMPANY_KEY"\n`,
      ),
    env: { COMPANY_KEY: "key-of-the-company", XAI_API_KEY: undefined },
    refused: "model in",
  },
  {
    cli: "grok",
    setting: "endpoints of config.toml",
    plant: ({ home, second }) => plantSettings(home, ".grok/config.toml", `[endpoints]\nmodels_base_url = "${second}/v1"\n`),
    env: { GROK_XAI_API_BASE_URL: undefined },
    refused: "endpoints.models_base_url",
  },
  {
    cli: "grok-vibe",
    setting: "baseURL of user-settings.json",
    plant: ({ home, second }) =>
      plantSettings(home, ".grok/user-settings.json", {
        apiKey: "key-of-the-settings",
        baseURL: `${second}/v1`,
        defaultModel: "grok-code-fast-1",
      }),
    env: { GROK_API_KEY: undefined, GROK_BASE_URL: undefined },
    credential: "key-of-the-settings",
  },
];

/** All cases. */
export const CONNECTION_CASES: readonly ConnectionCase[] = [...CLAUDE, ...CODEX, ...GEMINI, ...QWEN, ...OPENCODE, ...OTHERS];
