import { plainText } from "../../dialects/generic/plain-text.ts";
import { listOf, objectOf, parseJson } from "../../spec/json.ts";
import type { FaultRule, Provider } from "../../spec/provider/provider.ts";
import type { SchemaDialect } from "../../spec/provider/provider-facts.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { CODEX_CONNECTION } from "./connection.ts";
import { codexExec } from "./exec.ts";
import { launchCodex } from "./launch.ts";
import { codexMcpConfig, refuseCodexServers } from "./mcp-config.ts";
import { CODEX_PROJECT } from "./project.ts";
import { codexResident } from "./resident.ts";

/** The error texts of Codex 0.166.0; fixtures/codex/error-* and others. Its apostrophes are U+2019 in some sentences. */
const CODEX_FAULTS: readonly FaultRule[] = [
  {
    text: /Missing environment variable/,
    code: "not-logged-in",
    hint: "Set this variable: the model provider in Codex's config.toml reads its key from it.",
    fixCommand: null,
  },
  { text: /experiencing high demand/, code: "server-error" },
  { text: /does not exist or you do not have access|model is not supported/, code: "model-unknown" },
  { text: /reason: max_output_tokens/, code: "output-truncated" },
  { text: /idle timeout waiting for SSE/, code: "upstream-timeout" },
  // The request was sent, and the connection broke before the answer began.
  { text: /completion: error sending request/, code: "connection-lost" },
  { text: /Input exceeds the maximum length/, code: "prompt-too-large" },
  { text: /No prompt provided/, code: "prompt-blank" },
  { text: /utput schema file|Invalid schema for response_format|invalid_json_schema/, code: "schema-unreadable" },
  { text: /required MCP servers failed/, code: "mcp-server-unavailable" },
  {
    text: /not inside a trusted directory|Error loading config|CODEX_HOME points to|Model provider .* not found/i,
    code: "cli-misconfigured",
  },
  // The kinds of `codex app-server`; its other kinds have an HTTP status or a text that says more.
  { kind: "usageLimitExceeded", code: "quota-exhausted" },
  { kind: "rateLimitExceeded", code: "rate-limited" },
  { kind: "contextWindowExceeded", code: "context-overflow" },
  { kind: "serverOverloaded", code: "overloaded" },
  { kind: "policyCapacityUnavailable", code: "overloaded" },
  { kind: "modelNotFound", code: "model-unknown" },
  { kind: "unauthorized", code: "not-logged-in" },
  { kind: "internalServerError", code: "server-error" },
  { kind: "cyberPolicy", code: "refused" },
  { kind: "misalignmentPolicyViolation", code: "refused" },
];

/**
 * The schemas that OpenAI's strict mode takes. Codex passes every schema on with `strict: true` and checks neither it nor the
 * answer; the service refuses an optional key, an open object and a schema without a type (`invalid_json_schema`). Patterns are left
 * out, because its regular expressions have no lookaround.
 */
const CODEX_SCHEMAS: SchemaDialect = {
  keywords: [
    ...["$defs", "$ref", "additionalProperties", "anyOf", "const", "definitions", "description", "enum", "exclusiveMaximum"],
    ...["exclusiveMinimum", "format", "items", "maxItems", "maximum", "minItems", "minimum", "multipleOf", "properties"],
    ...["required", "title", "type"],
  ],
  formats: ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"],
  root: "object",
  objects: "closed",
};

/** Codex, OpenAI's CLI. */
export const codex: Provider = {
  id: "codex",
  aliases: ["codex-cli"],
  label: "Codex",
  binary: {
    names: ["codex"],
    native: {
      "linux-x64": nativePaths("linux-x64", "x86_64-unknown-linux-musl"),
      "linux-arm64": nativePaths("linux-arm64", "aarch64-unknown-linux-musl"),
      "darwin-x64": nativePaths("darwin-x64", "x86_64-apple-darwin"),
      "darwin-arm64": nativePaths("darwin-arm64", "aarch64-apple-darwin"),
    },
  },
  install: "npm install -g @openai/codex",
  login: "codex login",
  loginStatus: {
    command: { args: ["login", "status"], loggedIn: { exitCode: 0 }, loggedOut: { exitCode: 1, text: /Not logged in/ } },
    files: { variable: "CODEX_HOME", folder: ".codex", names: ["auth.json"] },
    keysFirst: ["CODEX_API_KEY"],
  },
  traits: { streaming: "message", reasoning: true, systemPrompt: "replace", ownTools: "off", usage: "thread", cost: false },
  options: [
    "system-append",
    "add-dirs",
    "session-resume",
    "mcp-stdio",
    "mcp-http",
    "mcp-reports",
    "output-schema",
    "effort",
    "images",
    "profile",
  ],
  mcpConfig: codexMcpConfig,
  env: {
    set: {},
    strip: [],
    apiKeys: ["CODEX_API_KEY"],
    profile: "CODEX_HOME",
  },
  // Codex reads skills named by `$word` in a prompt and the user's AGENTS.md from these homes; no flag prevents it.
  privateHome: { variable: "CODEX_HOME", folder: ".codex", links: ["auth.json", "auth.lock", ".env"] },
  connection: CODEX_CONNECTION,
  refuse: refuseCodexServers,
  projectStarts: CODEX_PROJECT,
  transcripts: { variable: "CODEX_HOME", folder: ".codex", path: "sessions/*/*/*/rollout-*-<id>.jsonl" },
  transports: {
    spawn: {
      launch: launchCodex,
      wire: codexExec,
      limits: { promptBytes: 4 * 1024 * 1024, promptCharacters: 1_048_576 },
      stopSignal: "SIGTERM",
    },
    resident: codexResident,
  },
  recordedWires: [plainText],
  faults: CODEX_FAULTS,
  schemaDialect: CODEX_SCHEMAS,
  limitations: [
    "A system prompt that is appended to its own is passed as an argument, which other users of the machine can see.",
    "Its permissions are those of its sandbox, without patterns. It does not report every command that the sandbox stops.",
    "It reports only a required MCP server that is not available. An agent also has the MCP servers of the user's configuration. Coxswain refuses servers whose URL has a query, and variables that Codex reads itself.",
    "If the sandbox of accept-edits is killed, it leaves empty .git, .codex, .agents and .aws directories in addDirs and in the temporary directories.",
  ],
  models: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-astra", "gpt-6-sol", "gpt-6-luna", "gpt-5.5"],
  vendorModels: /^(?:gpt-|codex-|o\d)/,
  modelList: { args: ["debug", "models", "--bundled"], read: readCodexModels },
  modelWords: MODEL_WORDS.openai,
  // `context_window` of the catalogue in codex's own program.
  maxInputTokens: {
    "gpt-6.1-sol": 272_000,
    "gpt-6.1-terra": 500_000,
    "gpt-6-astra": 272_000,
    "gpt-6-sol": 272_000,
    "gpt-6-luna": 272_000,
    "gpt-5.5": 272_000,
  },
  // The catalogue of a completion needs a name (launch.ts).
  defaultModel: "gpt-6.1-sol",
  ownAgentModel: "always",
  versionsChecked: { oldest: "0.169.0", newest: "0.169.0" },
};

/** Beside the launcher's package, below it, or inside it, as npm, pnpm and older releases install it. */
function nativePaths(platform: string, target: string): readonly string[] {
  const program = `vendor/${target}/bin/codex`;
  return [`../../codex-${platform}/${program}`, `../node_modules/@openai/codex-${platform}/${program}`, `../${program}`];
}

/** The models that Codex offers in its own list; others, such as that of its reviewer, are hidden there. */
function readCodexModels(stdout: string): readonly string[] {
  const models = listOf(objectOf(parseJson(stdout))?.["models"]).map(objectOf);
  return models.flatMap((model) => (model?.["visibility"] === "list" ? [String(model["slug"])] : []));
}
