import { listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { FaultRule, Provider } from "../../spec/provider/provider.ts";
import type { ConnectionSettings, EndedLogin } from "../../spec/provider/provider-facts.ts";
import { BRIDGED_TOOLS } from "../shared/bridged-tools.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { chooseLogin, geminiMcpConfig, launchGemini, refuseForGemini } from "./launch.ts";
import { GEMINI_PROJECT } from "./project.ts";
import { geminiResident } from "./resident.ts";
import { geminiStream } from "./stream.ts";

/** The error texts of Gemini 0.61.0; fixtures/gemini/error-*, json-format-*, text-format-* and others. The order matters. */
const GEMINI_FAULTS: readonly FaultRule[] = [
  { kind: "stdout-cut", code: "output-truncated", hint: "Shorten the prompt; Gemini lost the end of its output." },
  {
    text: /^Loop detected, stopping execution/,
    code: "output-truncated",
    hint: "Rephrase; Gemini stopped an answer that repeated itself.",
  },
  { kind: "no-request", code: "context-overflow" },
  { kind: "FatalTurnLimitedError", code: "turn-limit" },
  { text: /Reached max session turns|Maximum session turns exceeded/, code: "turn-limit" },
  // Google sends this sentence for the limit of a minute (fixture pure-model-429).
  { text: /^\[API Error: Resource has been exhausted|RetryableQuotaError: Resource has been/, code: "rate-limited" },
  { text: /model is overloaded/, code: "overloaded" },
  {
    text: /is not valid JSON|API Error: .*(?: in JSON at position |end of JSON input)|Incomplete JSON segment/,
    code: "upstream-garbled",
  },
  { kind: "INVALID_STREAM", code: "upstream-garbled" },
  { text: /empty response|empty text response|no final response text|ended without a finish reason/, code: "upstream-garbled" },
  {
    text: /Please set an Auth method|you must specify the GEMINI_API_KEY|Update your environment and try again|Manual authorization is required/,
    code: "not-logged-in",
    hint: "Log in with `gemini`, or set GEMINI_API_KEY (GEMINI_DEFAULT_AUTH_TYPE selects the kind of login).",
  },
  {
    text: /no longer supported for Gemini Code Assist for individuals/,
    code: "access-denied",
    hint: "Google has ended this login for Gemini CLI. Set GEMINI_API_KEY, or log in with Gemini Code Assist Standard or Enterprise.",
  },
  {
    text: /Invalid auth method selected/,
    code: "cli-misconfigured",
    hint: "Set security.auth.selectedType in ~/.gemini/settings.json.",
  },
  { text: /Error in .*settings\.json|Please fix the configuration file/, code: "cli-misconfigured" },
  { text: /missing system prompt file/, code: "cli-misconfigured" },
  { text: /No input provided via stdin/, code: "prompt-blank" },
  { text: /Unknown argument|Invalid values:/, code: "unknown-option" },
  // The HTTP status of a failed request, modulo 256, for texts that no other rule matches.
  { exitCode: 144, code: "bad-request" },
  { exitCode: 145, code: "not-logged-in" },
  { exitCode: 147, code: "access-denied" },
  { exitCode: 148, code: "model-unknown" },
  { exitCode: 157, code: "prompt-too-large" },
  { exitCode: 173, code: "rate-limited" },
  { exitCode: 244, code: "server-error" },
  { exitCode: 246, code: "server-error" },
  { exitCode: 247, code: "server-error" },
  { exitCode: 248, code: "upstream-timeout" },
  { exitCode: 41, code: "not-logged-in" },
  { exitCode: 44, code: "cli-misconfigured" },
  { exitCode: 52, code: "cli-misconfigured" },
  { exitCode: 53, code: "turn-limit" },
  { exitCode: 55, code: "cli-misconfigured" },
];

/**
 * The login that the user has selected, the model of the environment, Gemini's own `.env` or the settings, and whether the key is in that `.env`. The other values of
 * that file stay with Gemini, which reads it by a link.
 */
const GEMINI_CONNECTION: ConnectionSettings = {
  files: [
    { variable: "GEMINI_CLI_HOME", folder: ".", name: ".gemini/settings.json" },
    { variable: "GEMINI_CLI_HOME", folder: ".", name: ".gemini/.env" },
    { variable: "GEMINI_CLI_HOME", folder: ".", name: ".env" },
  ],
  read: ([settings = {}, own, ofHome], { env }) => {
    const auth = objectOf(objectOf(settings["security"])?.["auth"]) ?? {};
    const variables = own ?? ofHome ?? {};
    // Gemini sets no variable of the file that the environment has, also if it is empty there.
    const model = (env["GEMINI_MODEL"] ?? stringOf(variables["GEMINI_MODEL"])) || stringOf(objectOf(settings["model"])?.["name"]);
    const picked = ["selectedType", "enforcedType", "useExternal"].flatMap((name) =>
      auth[name] === undefined ? [] : [[name, auth[name]]],
    );
    const taken = { auth: Object.fromEntries(picked), variables: Object.keys(variables) };
    return { taken, ...(model !== undefined && { model }) };
  },
};

/** Whether an account is one of an individual is not known before a run; one of a company needs a project (docs/accounts.md). */
const GOOGLE_LOGIN: EndedLogin = {
  file: { variable: "GEMINI_CLI_HOME", folder: ".", name: ".gemini/oauth_creds.json" },
  isInUse: ({ hasFile, env, taken }) => {
    const isNamed = (name: string): boolean => Boolean(env[name]) || listOf(taken["variables"]).includes(name);
    if (["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT_ID"].some(isNamed)) return false;
    return hasFile && chooseLogin({}, env, taken) === "oauth-personal";
  },
  message:
    'Gemini uses a Google login. Since 2026-06-18 Google answers one of an individual with "This client is no longer supported for Gemini Code Assist for individuals".',
  hint: "One with Gemini Code Assist Standard or Enterprise still works. Otherwise set GEMINI_API_KEY.",
};

/** Gemini CLI, Google's. */
export const gemini: Provider = {
  id: "gemini",
  aliases: ["gemini-cli"],
  label: "Gemini",
  binary: { names: ["gemini"] },
  install: "npm install -g @google/gemini-cli",
  login: "gemini",
  loginStatus: {
    files: { variable: "GEMINI_CLI_HOME", folder: ".", names: [".gemini/oauth_creds.json"] },
    keysFirst: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    ended: GOOGLE_LOGIN,
  },
  traits: { streaming: "token", reasoning: false, systemPrompt: "replace", ownTools: "off", usage: "turn", cost: false },
  options: [
    "add-dirs",
    "tool-patterns",
    "denial-reports",
    "session-id",
    "session-resume",
    "mcp-stdio",
    "mcp-http",
    "mcp-sse",
    "profile",
  ],
  mcpConfig: geminiMcpConfig,
  env: {
    set: {
      // Otherwise the launcher starts itself again, swallows signals and takes 1.1 s and 145 MB more.
      GEMINI_CLI_NO_RELAUNCH: "true",
      // Otherwise Gemini exits with code 55 in every folder that the user has not trusted.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
    },
    strip: [
      ...["GEMINI_SYSTEM_MD", "GEMINI_WRITE_SYSTEM_MD", "GEMINI_SANDBOX", "GEMINI_CLI_ACTIVITY_LOG_TARGET", "DEBUG"],
      "DEBUG_MODE",
    ],
    apiKeys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    profile: "GEMINI_CLI_HOME",
  },
  privateHome: {
    variable: "GEMINI_CLI_HOME",
    folder: ".",
    links: [
      ...[".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/installation_id"],
      ...[".gemini/gemini-credentials.json", ".gemini/.env", ".env"],
    ],
    keepsUserHome: true,
    forRun: true,
    kept: [".gemini/tmp"],
  },
  connection: GEMINI_CONNECTION,
  refuse: refuseForGemini,
  projectStarts: GEMINI_PROJECT,
  transcripts: { variable: "GEMINI_CLI_HOME", folder: ".", path: ".gemini/tmp/*/chats/session-*-<id8>.jsonl" },
  transports: {
    spawn: {
      launch: launchGemini,
      wire: geminiStream,
      stdout: "file",
      limits: { promptBytes: 8_000_000 },
      stopSignal: "SIGTERM",
      nativeTools: {
        ...BRIDGED_TOOLS,
        resultBytes: 200_000,
        bridgeName: (server, tool) => `mcp_${server}_${tool}`,
        addedArguments: ["wait_for_previous"],
        forAgents: false,
      },
    },
    resident: geminiResident,
  },
  // A completion has none (launch.ts); an agent has the user's settings, with ten tries by default.
  silentRetries: { agent: { rate_limit: 9, server: 9, network: 9 } },
  faults: GEMINI_FAULTS,
  refusedCall: /^Tool "[^"]*" not found/,
  stderrNoise: /^Error executing tool/,
  limitations: [
    "Google ended its Google logins of individuals, Google AI Pro and Ultra on 2026-06-18 (docs/accounts.md).",
    "It puts a note in front of each request: the date, the operating system and the path of its temporary folder.",
    "It trims the system prompt and reduces three or more line breaks in a row to two.",
    "Coxswain refuses a prompt that has two of the marks !{, @{ and {{args}} together with a mention or a command.",
    "In completion mode it reads of the user's settings only the selected login and the model (docs/connections.md). Without a selected login it prefers an API key to a Google login, unless GEMINI_DEFAULT_AUTH_TYPE or auth subscription is set.",
    "It splits lists at commas: Coxswain refuses an additional directory with a comma in its name.",
    "Its permission patterns are for commands only, and a command that a pattern allows must stand alone: Coxswain refuses Read(…) and unknown tools. An agent does not read the user's policy files, except in bypass without lists.",
    "In every mode but bypass an agent has no plan tools and no tools of MCP servers that the request does not allow. A host that answers questions is asked about changes of files in accept-edits too.",
    "In a project that is not trusted, its file tools do not see .gemini and .agents, and it loads no .env of the project.",
    "It takes MCP servers in completion mode only. It does not report which one failed to start, so that none can be required.",
    "It puts results of host tools between <untrusted_context> tags, and offers the model one more argument of each tool, wait_for_previous.",
    "It does not report that the output limit or a filter cut the answer.",
    "A resumed session does not contain earlier prompts that began with / or ?.",
    "A resident process reports no output tokens, so it is used only if the target asks for it. A prompt that begins with / or $ is answered by a new process.",
    "In agent mode it tries a failing service ten times without output, for up to four minutes. After a retry the answer may appear twice. It sends usage statistics to Google unless its settings disable them.",
  ],
  models: ["gemini-3.8-flash", "gemini-3.1-pro-preview", "gemini-3.5-flash-lite", "gemini-2.5-pro", "gemini-2.5-flash"],
  vendorModels: /^gemini-/,
  modelWords: MODEL_WORDS.google,
  // Without a model Gemini first sends each prompt to a router model.
  // Its own `tokenLimit`.
  maxInputTokens: { "gemini-": 1_048_576 },
  // Without a name Gemini asks another model at each turn which one it shall use.
  defaultModel: "gemini-3.8-flash",
  ownAgentModel: "if-configured",
  versionsChecked: { oldest: "0.61.0", newest: "0.61.0" },
};
