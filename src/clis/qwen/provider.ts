import { plainText } from "../../dialects/generic/plain-text.ts";
import type { FaultRule, Provider } from "../../spec/provider/provider.ts";
import type { EndedLogin, NativeTools, SchemaDialect } from "../../spec/provider/provider-facts.ts";
import { BRIDGED_TOOLS } from "../shared/bridged-tools.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { launchQwen, qwenMcpConfig, refuseForQwen } from "./launch.ts";
import { QWEN_PROJECT } from "./project.ts";
import { qwenResident } from "./resident.ts";
import { qwenStream } from "./stream.ts";

/** The error texts of Qwen Code 0.15.10 and 0.24.4; fixtures/qwen/error-*, session-*, bad-flag* and others. The order matters. */
const QWEN_FAULTS: readonly FaultRule[] = [
  { kind: "cut", code: "output-truncated", hint: "Ask for a shorter answer; Qwen Code lost the end of its output." },
  { text: /maximum context length|Range of input length|Context is too large to send safely/, code: "context-overflow" },
  { text: /exceeds the endpoint request-body limit/, code: "prompt-too-large" },
  { text: /\[API Error: (?:503|529)\b/, code: "overloaded" },
  { text: /Request timed out|No stream activity for \d+ms/, code: "upstream-timeout" },
  { text: /Failed to parse stream-json line/, code: "bad-request" },
  {
    text: /Model stream ended|is not valid JSON\]|API Error: .*(?: in JSON at position |end of JSON input)/,
    code: "upstream-garbled",
  },
  {
    text: /non-SSE (?:response|content-type)|Model response (?:leaked|started with leaked|contained a malformed|continued after|is an upstream)/,
    code: "upstream-garbled",
  },
  {
    text: /Qwen OAuth free tier (?:was|has been) discontinued/,
    code: "not-logged-in",
    hint: "Qwen has ended this login. Start `qwen` and choose another one with /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.",
    fixCommand: "qwen",
  },
  {
    text: /No auth type is selected|Missing API key/,
    code: "not-logged-in",
    hint: "Log in with `qwen auth`, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.",
  },
  { text: /^The command "\/.*" is not supported in this mode/, code: "bad-request" },
  { text: /Model produced plain text instead of calling the structured_output tool/, code: "schema-mismatch" },
  { kind: "error_max_structured_output_retries", code: "schema-mismatch" },
  { text: /^--json-schema (?:is not a valid JSON Schema|root must accept)/, code: "schema-unreadable" },
  {
    text: /Loop detection halted the run/,
    code: "turn-limit",
    hint: "The model repeated itself, and Qwen Code stopped it; ask in other words or use another model.",
  },
  { text: /Reached max session turns/, code: "turn-limit" },
  { text: /Operation cancelled\./, code: "interrupted" },
  { text: /No input provided via stdin/, code: "prompt-blank" },
  { text: /Resource not found: session:|Session not found/, code: "session-unknown" },
  { text: /Invalid --session-id/, code: "session-invalid" },
  { text: /Unknown argument|Invalid values:/, code: "unknown-option" },
];

/** The schemas that Qwen Code takes: it exits with 52 for any other keyword, and for a root that is no object (tests/real/schema-dialects). */
const QWEN_SCHEMAS: SchemaDialect = {
  keywords: [
    ...["$comment", "$defs", "$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "default", "definitions"],
    ...["dependencies", "description", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if"],
    ...["items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum"],
    ...["multipleOf", "not", "oneOf", "pattern", "patternProperties", "properties", "propertyNames", "required", "then"],
    ...["title", "type", "uniqueItems"],
  ],
  formats: ["date", "date-time", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"],
  root: "object",
};

const API_KEYS: readonly string[] = [
  ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "DASHSCOPE_API_KEY"],
  "BAILIAN_CODING_PLAN_API_KEY",
];

/** Limitations of all its versions. */
const LIMITATIONS: readonly string[] = [
  "Its free login, Qwen OAuth, ended on 2026-04-15 (docs/accounts.md).",
  "It tries a rate-limited or failing service, or one that it cannot reach, seven times without output, for 50 to 135 s. If the service breaks the connection, it retries for four minutes.",
  "It does not report that the output limit or a filter cut the answer. In agent mode it continues an answer over the limit.",
  "Without an output limit in the request it uses 32,000 tokens, or the limit that Qwen Code knows for the model.",
  "Coxswain refuses a prompt that has two of the marks !{, @{ and {{args}} with a line break or several spaces between them.",
  "It splits lists at commas: Coxswain refuses a tool pattern or a directory with a comma.",
  "A command that a permission pattern allows must stand alone. Coxswain's hook checks that. In every mode but bypass without lists the settings of an administrator are not read.",
  "In every mode but bypass an agent has neither sub-agents nor worktrees nor schedules, nor tools of MCP servers that the request does not allow.",
  "In a project that is not trusted, its file tools do not see .qwen, .agents and .claude, and it loads no .env of the project.",
  "A command that an agent leaves running in the background is ended with the run. The run waits for a command that is scheduled for a later time.",
  "A system prompt that is appended to its own is passed as an argument, which other users of the machine can see.",
  "A resumed session reports the tokens of the whole session.",
  "A resident process reports a spent quota as a rate limit. If an answer ends there without a finish reason, its beginning may appear twice.",
];

/** Measured with both checked versions, of an agent with 0.24.4 and status 500 alone; the number is a constant of the program. */
const SILENT_RETRIES = { rate_limit: 6, server: 6 } as const;

/** Since 0.24.4 it sends 21 requests when the service breaks the connection before its answer. */
const RETRIES_SINCE_0_24 = { ...SILENT_RETRIES, network: 20 } as const;

const HOST_TOOLS: NativeTools = {
  ...BRIDGED_TOOLS,
  canPark: true,
  resultBytes: 15_000,
  bridgeName: (server, tool) => `mcp__${server}__${tool}`,
};

/** Which login is selected is in a file that may hold a key, so that only the file of the login and the keys of the environment are looked for. */
const QWEN_OAUTH: EndedLogin = {
  file: { variable: "QWEN_HOME", folder: ".qwen", name: "oauth_creds.json" },
  isInUse: ({ hasFile, env }) => hasFile && !API_KEYS.some((name) => Boolean(env[name])),
  message: 'Qwen Code has a stored login of Qwen OAuth. Qwen Code says: "Qwen OAuth free tier was discontinued on 2026-04-15."',
  hint: "If it is the login in use, start `qwen` and choose another one with /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.",
};

/** Qwen Code, Alibaba's CLI. */
export const qwen: Provider = {
  id: "qwen",
  aliases: ["qwen-code"],
  label: "Qwen Code",
  binary: { names: ["qwen"] },
  install: "npm install -g @qwen-code/qwen-code",
  login: "qwen auth",
  // `qwen auth status` reports more, but takes as long as a run takes to start: 1.3 s.
  loginStatus: { env: ["OPENAI_API_KEY"], ended: QWEN_OAUTH },
  traits: { streaming: "token", reasoning: true, systemPrompt: "replace", ownTools: "off", usage: "thread", cost: false },
  options: [
    "system-append",
    "add-dirs",
    "tool-patterns",
    "denial-reports",
    "session-id",
    "session-resume",
    "mcp-stdio",
    "mcp-http",
    "mcp-sse",
    "mcp-reports",
    "output-schema",
    "max-turns",
    "max-output-tokens",
    "profile",
  ],
  mcpConfig: (servers) => qwenMcpConfig(servers),
  env: {
    // Otherwise the program starts itself again: 0.9 s, 215 MB, and a process that signals do not reach.
    set: { QWEN_CODE_NO_RELAUNCH: "true" },
    strip: [
      ...["QWEN_SYSTEM_MD", "QWEN_WRITE_SYSTEM_MD", "QWEN_CODE_SIMPLE", "QWEN_RUNTIME_DIR", "QWEN_CODE_UNATTENDED_RETRY"],
      ...["QWEN_CODE_SAFE_MODE", "QWEN_SYSTEM_IDENTITY_MD", "DEBUG"],
    ],
    apiKeys: API_KEYS,
    profile: "QWEN_HOME",
  },
  privateHome: {
    variable: "QWEN_HOME",
    folder: ".qwen",
    links: ["settings.json", ".env", "oauth_creds.json", "installation_id"],
    // Qwen Code writes an instruction to answer in the system's language there and sends it to the model.
    sinks: ["output-language.md"],
    keepsUserHome: true,
    forRun: true,
    kept: ["projects"],
  },
  refuse: refuseForQwen,
  projectStarts: QWEN_PROJECT,
  transcripts: { variable: "QWEN_HOME", folder: ".qwen", path: "projects/*/chats/<id>.jsonl" },
  transports: {
    spawn: {
      launch: launchQwen,
      wire: qwenStream,
      stdout: "file",
      limits: { promptBytes: 8_000_000 },
      stopSignal: "SIGTERM",
      // Before 0.24.4 it asks the proxy for every address, and reads these variables.
      nativeTools: { ...HOST_TOOLS, proxyVariables: ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] },
    },
    resident: qwenResident,
  },
  recordedWires: [{ ...qwenStream, framing: "json" }, plainText],
  silentRetries: { completion: SILENT_RETRIES, agent: SILENT_RETRIES },
  faults: QWEN_FAULTS,
  schemaDialect: QWEN_SCHEMAS,
  objectTool: "structured_output",
  refusedCall:
    /^(?:\[tool_call bridge refused\] )?(?:Qwen Code requires permission to use "|Deferred tool "[^"]*" is not registered)|^Tool "[^"]*" not found/,
  limitations: [
    ...LIMITATIONS,
    "An agent is offered host tools only after it has searched for them. With a proxy in the environment host tools work by text only, because it ignores NO_PROXY.",
    "If a stream ends early, it repeats the request, up to three times in all, and the beginning of the answer may appear twice.",
  ],
  models: ["qwen3-coder-plus"],
  vendorModels: /^qwen/,
  // Its own table of limits.
  maxInputTokens: { "qwen3-coder-plus": 1_000_000 },
  modelWords: MODEL_WORDS.alibaba,
  versionsChecked: { oldest: "0.15.10", newest: "0.24.4" },
  changes: [
    {
      since: "0.24.4",
      nativeTools: HOST_TOOLS,
      silentRetries: { completion: RETRIES_SINCE_0_24, agent: RETRIES_SINCE_0_24 },
      limitations: [
        ...LIMITATIONS,
        "In completion mode it tells the model the date and that there are no skills.",
        "If the stream breaks, the model is asked to continue its text, up to three times. If the model starts over, the beginning of the answer appears twice.",
        "If an answer ends without a finish reason, it repeats the request, up to five times in all.",
      ],
    },
  ],
};
