import { plainText } from "../../dialects/generic/plain-text.ts";
import type { FaultRule, Provider } from "../../spec/provider/provider.ts";
import type { ConnectionSettings } from "../../spec/provider/provider-facts.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { refuseSettings } from "../shared/refuse.ts";
import { grokHostTools, SERVER_TOOLS } from "./host-tools.ts";
import { launchGrok, refuseForGrok } from "./launch.ts";
import { grokStream } from "./messages.ts";
import { grokResident } from "./resident.ts";

const NAMES: readonly string[] = [
  ...["model", "models.default", "models.extra_headers", "model_providers", "auth_provider", "auth", "grok_com_config"],
  ...["endpoints.models_base_url", "endpoints.models_list_url", "endpoints.models_endpoint", "endpoints.xai_api_base_url"],
  ...["endpoints.cli_chat_proxy_base_url", "endpoints.deployment_key"],
];
const PATHS = NAMES.map((name) => name.split("."));

/** A completion has a private home, so that Grok Build does not read the user's `config.toml` there. */
const GROK_CONNECTION: ConnectionSettings = {
  files: ["config.toml", "managed_config.toml", "requirements.toml"].map((name) => ({
    variable: "GROK_HOME",
    folder: ".grok",
    name,
  })),
  read: (settings, about) => refuseSettings("Grok Build", settings, PATHS, about) ?? {},
};

/** The error texts of Grok Build 1.0.41; fixtures/grok. The shared rules read the HTTP statuses in them. */
const GROK_FAULTS: readonly FaultRule[] = [
  { kind: "error_max_turns", code: "turn-limit" },
  { kind: "error_max_structured_output_retries", code: "schema-mismatch" },
  { kind: "refusal", code: "refused" },
  {
    kind: "cancelled",
    code: "tool-denied",
    message: "Grok Build ended the turn: a tool call needed an approval, which a headless run cannot give.",
  },
  { text: /response truncated by max_tokens/, code: "output-truncated" },
  { text: /^(?:Error: )?max turns reached/, code: "turn-limit" },
  { text: /Some resource has been exhausted: Too many requests/, code: "rate-limited" },
  { text: /currently overloaded/, code: "overloaded" },
  { text: /session restore|no session id or title matched/, code: "session-unknown" },
  {
    text: /empty response from model|No ResponseCompleted or ResponseIncomplete event|serialization error/,
    code: "upstream-garbled",
  },
  { text: /--session-id must be a valid UUID/, code: "session-invalid" },
  { text: /prompt is empty/i, code: "prompt-blank" },
  { text: /unexpected argument '|unknown effort level/, code: "unknown-option" },
  { text: /os error 6\)|this sandbox could not|Requirements unsatisfied/, code: "cli-misconfigured" },
];

/** Grok Build, xAI's CLI. */
export const grok: Provider = {
  id: "grok",
  aliases: ["grok-build", "xai"],
  label: "Grok Build",
  binary: { names: ["grok"] },
  install: "npm install -g @xai-official/grok",
  login: "grok login",
  loginStatus: { files: { variable: "GROK_HOME", folder: ".grok", names: ["auth.json"] } },
  traits: { streaming: "token", reasoning: true, systemPrompt: "replace", ownTools: "off", usage: "turn", cost: true },
  options: [
    "system-append",
    "tool-patterns",
    "denial-reports",
    "session-id",
    "session-resume",
    "session-fork",
    "output-schema",
    "max-turns",
    "max-output-tokens",
    "effort",
    "profile",
  ],
  env: {
    set: {
      GROK_DISABLE_AUTOUPDATER: "1",
      // Text that it repeats after a retry or for a sub-agent cannot be distinguished from the answer (fixture stream-cut).
      GROK_MAX_RETRIES: "0",
      GROK_TURN_TRANSIENT_RETRY: "0",
      GROK_SUBAGENTS: "0",
      GROK_WORKFLOWS: "0",
      // Each would cost a separate model request.
      GROK_TURN_SUMMARY: "0",
      GROK_TITLE_REFRESH: "0",
      GROK_TELEMETRY_ENABLED: "0",
      GROK_TELEMETRY_TRACE_UPLOAD: "0",
      GROK_FEEDBACK_ENABLED: "0",
      GROK_ASK_USER_QUESTION: "0",
    },
    strip: [],
    apiKeys: ["XAI_API_KEY", "GROK_CODE_XAI_API_KEY"],
    profile: "GROK_HOME",
  },
  privateHome: {
    variable: "GROK_HOME",
    folder: ".grok",
    // Otherwise the npm launcher unpacks 166 MB there.
    links: ["bin"],
    // Grok Build writes a new token beside the old one and then replaces the old one.
    pointers: { GROK_AUTH_PATH: "auth.json" },
    // Grok Build sends the prompt again to get a title for each new session: here to a model without an address.
    files: [
      {
        path: "config.toml",
        content: '[models]\nsession_summary = "no-title"\n[model.no-title]\nmodel = "none"\nbase_url = "none"\n',
      },
    ],
    forRun: true,
    kept: ["sessions"],
  },
  connection: GROK_CONNECTION,
  refuse: refuseForGrok,
  transcripts: { variable: "GROK_HOME", folder: ".grok", path: "sessions/*/<id>" },
  transports: {
    spawn: {
      launch: launchGrok,
      wire: grokStream,
      limits: { promptBytes: 1_900_000 },
      stopSignal: "SIGTERM",
      nativeTools: grokHostTools,
    },
    resident: grokResident,
  },
  recordedWires: [plainText],
  faults: GROK_FAULTS,
  // It passes every schema on and checks the answer itself; whether xAI takes a root that is no object is not known.
  schemaDialect: { root: "object" },
  refusedCall:
    /^(?:(?:Failed to parse arguments for tool `[^`]*`|Tool `[^`]*` failed via `use_tool`): )?(?:Tool not found|No such tool)/,
  serverTools: SERVER_TOOLS,
  limitations: [
    "Coxswain refuses the permission mode accept-edits: its tools also change files outside of the working directory.",
    "It puts an empty note (<user_info></user_info>) in front of the first prompt. Without a system prompt the model is told to be a helpful assistant.",
    'A prompt that begins like a command (/word), or mentions a file by a path from the root or above (@/…, @../…), goes in the place of that note, without trailing spaces, and "Answer the message above." follows. In a resumed session Coxswain refuses it.',
    "A schema, a prompt with leading or trailing spaces, a system prompt that an agent appends to its own, and that of a resumed agent are passed as arguments, which other users of the machine can see.",
    "A resumed session keeps its first system prompt. In a forked session it tells the model in a long note that the session is a fork.",
    "It summarises a conversation that exceeds the model's context window before it sends it.",
    "In agent mode it takes whole tools only: whatever its own patterns allow, it runs touch, mkdir and reading commands. Coxswain refuses a pattern in allow, and one for commands in deny while the shell is allowed.",
    "Coxswain refuses a permission rule with a comma, at which it would split the rule, and one for a tool that it does not know, which it would ignore.",
    "Its model finds and calls host tools by search_tool and use_tool, which a completion has only then.",
    "A resident process reports no cost. It answers completions, and continues only the sessions that it has begun.",
    "In agent mode it sends the prompt a second time to get a title for a new session. Sub-agents, plans and schedules are off.",
    "In agent mode it waits without output for every background command. The idle timeout of the run ends a command that never finishes.",
  ],
  models: ["grok-4.6", "grok-4.5"],
  vendorModels: /^grok-/,
  // "  * grok-4.6 (default)" and "  - grok-4.5".
  modelList: { args: ["models"], read: (stdout) => [...stdout.matchAll(/^ +[*-] (\S+)/gm)].map(([, name = ""]) => name) },
  modelWords: MODEL_WORDS.xai,
  versionsChecked: { oldest: "1.0.41", newest: "1.0.41" },
  versionPattern: /^grok \d/,
};
