import type { Provider } from "../../spec/provider.ts";
import { GEMINI_FAULTS } from "./faults.ts";
import { geminiJson } from "./json.ts";
import { launchGemini, refuseForGemini } from "./launch.ts";
import { geminiStream } from "./stream.ts";
import { geminiText } from "./text.ts";

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
  },
  capabilities: {
    streaming: "token",
    reasoning: false,
    sessions: true,
    systemPrompt: "replace",
    ownTools: "off",
    hostTools: "text",
    mcp: [],
    structuredOutput: "text",
    images: false,
    resident: false,
    usage: "turn",
    cost: false,
    permissionRequests: false,
  },
  options: ["add-dirs", "session-id", "session-resume", "profile"],
  env: {
    set: {
      // The launcher would start itself again, swallow signals and take 1.1 s and 145 MB more.
      GEMINI_CLI_NO_RELAUNCH: "true",
      // Every folder that was not trusted by hand ends with exit code 55 otherwise.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
    },
    strip: [
      "GEMINI_CLI",
      "GEMINI_SYSTEM_MD",
      "GEMINI_WRITE_SYSTEM_MD",
      "GEMINI_MODEL",
      "GEMINI_SANDBOX",
      "GEMINI_CLI_ACTIVITY_LOG_TARGET",
      "DEBUG",
      "DEBUG_MODE",
    ],
    apiKeys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    profile: "GEMINI_CLI_HOME",
  },
  privateHome: {
    variable: "GEMINI_CLI_HOME",
    folder: ".",
    links: [".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/installation_id", ".gemini/.env"],
    keepsUserHome: true,
    forRun: true,
    kept: [".gemini/tmp"],
  },
  launch: launchGemini,
  refuse: refuseForGemini,
  stdout: "file",
  formats: { "stream-json": geminiStream, json: geminiJson, text: geminiText },
  defaultFormat: "stream-json",
  faults: GEMINI_FAULTS,
  refusedCall: /^Tool "[^"]*" not found/,
  stderrNoise: /^Error executing tool/,
  limits: { promptBytes: 8_000_000 },
  limitations: [
    "Each request begins with a note of the CLI: the date, the operating system and the path of its temporary folder.",
    "A system prompt loses blanks at its ends, and three or more line ends in a row become two.",
    "A prompt that holds two of the marks !{, @{ and {{args}}, and a mention or a command besides, is refused.",
    "The user's settings are not read in completion mode: an API key in the environment goes before a Google login, unless GEMINI_DEFAULT_AUTH_TYPE or auth subscription says otherwise.",
    "An answer that the output limit or a filter cut cannot be told from a whole one.",
    "A resumed session has forgotten prompts that began with / or ?.",
    "In agent mode it tries a failing service ten times in silence, for up to four minutes, says an answer twice that it asked for again, and sends usage statistics to Google unless its settings forbid it.",
  ],
  stopSignal: "SIGTERM",
  models: ["gemini-3.8-flash", "gemini-3.1-pro-preview", "gemini-3.5-flash-lite", "gemini-2.5-pro", "gemini-2.5-flash"],
  // Without a model each prompt costs a request to a router first.
  defaultModel: "gemini-3.8-flash",
  versionsChecked: { oldest: "0.61.0", newest: "0.61.0" },
};
