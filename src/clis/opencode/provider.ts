import { plainText } from "../../dialects/generic/plain-text.ts";
import type { FaultRule, Provider } from "../../spec/provider/provider.ts";
import type { ConnectionSettings } from "../../spec/provider/provider-facts.ts";
import { BRIDGED_TOOLS } from "../shared/bridged-tools.ts";
import { ALL_MODEL_WORDS } from "../shared/model-words.ts";
import { refuseSettings } from "../shared/refuse.ts";
import { opencodeMcpConfig } from "./config.ts";
import { launchOpencode, refuseOpencode } from "./launch.ts";
import { OPENCODE_PROJECT } from "./project.ts";
import { opencodeRun } from "./run-lines.ts";

/** A completion has a private home, so that OpenCode does not read the user's `opencode.json` there. */
const OPENCODE_CONNECTION: ConnectionSettings = {
  files: ["opencode.json", "opencode.jsonc", "config.json"].map((name) => ({
    variable: "XDG_CONFIG_HOME",
    folder: ".config",
    name: `opencode/${name}`,
  })),
  read: (settings, about) => {
    // Without a model OpenCode's own refusal names what is missing.
    const [vendor = ""] = (about.model ?? "").split("/");
    return vendor === "" ? {} : (refuseSettings("OpenCode", settings, [["provider", vendor]], about) ?? {});
  },
};

const MODEL_HINT = "Check the model: `opencode models` lists what is configured.";

/** The errors of OpenCode 1.18.33; fixtures/opencode/error-* and others. Most of the texts are those of the service that it uses. */
const OPENCODE_FAULTS: readonly FaultRule[] = [
  { kind: "insufficient_quota", code: "quota-exhausted" },
  { kind: "ContextOverflowError", code: "context-overflow" },
  { kind: "context_length_exceeded", code: "context-overflow" },
  { kind: "MessageOutputLengthError", code: "output-truncated" },
  { kind: "MessageAbortedError", code: "interrupted" },
  { kind: "cut-off", code: "output-truncated", hint: "Retry. OpenCode lost the end of its output." },
  { kind: "permission-rejected", code: "tool-denied" },
  { kind: "ProviderAuthError", code: "not-logged-in" },
  { kind: "model_not_found", code: "model-unknown", hint: MODEL_HINT },
  { text: /No providers are available|No models are available for provider/, code: "model-unknown", hint: MODEL_HINT },
  { kind: "ContentFilterError", code: "refused" },
  // An error inside a stream has the text of the service.
  { text: /^\{"type":"overloaded_error"/, code: "overloaded" },
  { kind: "UnknownError", code: "unclassified", hint: MODEL_HINT },
  { text: /You must provide a message/, code: "prompt-blank" },
  { text: /Failed to change directory/, code: "cwd-unusable" },
  // For an unknown flag OpenCode prints its help and no error line (fixture bad-flag).
  { text: /^\s*(?:-\w, )?--[\w-]+ {2,}\S/, code: "unknown-option", message: "OpenCode printed its help instead of an answer." },
];

/** Measured with 1.18.33, of an agent with status 500 alone; the number is a constant of the program. */
const SILENT_RETRIES = { rate_limit: 5, server: 5, network: 5 } as const;

/** OpenCode, a CLI for the models of many vendors. */
export const opencode: Provider = {
  id: "opencode",
  aliases: ["opencode-ai"],
  label: "OpenCode",
  binary: { names: ["opencode"] },
  install: "npm install -g opencode-ai",
  login: "opencode auth login",
  loginStatus: { files: { variable: "XDG_DATA_HOME", folder: ".local/share", names: ["opencode/auth.json"] } },
  traits: { streaming: "message", reasoning: true, systemPrompt: "replace", ownTools: "off", usage: "turn", cost: true },
  options: [
    "add-dirs",
    "tool-patterns",
    "denial-reports",
    "session-resume",
    "session-fork",
    "mcp-stdio",
    "mcp-http",
    "max-output-tokens",
  ],
  mcpConfig: opencodeMcpConfig,
  env: {
    set: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_SHARE: "1" },
    // It takes its working directory from PWD, which is still that of the host process.
    strip: ["PWD", "OPENCODE_AUTO_SHARE"],
    apiKeys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "XAI_API_KEY", "OPENCODE_API_KEY"],
    secrets: ["OPENCODE_CONFIG_CONTENT", "OPENCODE_AUTH_CONTENT"],
  },
  // No flag makes it ignore the user's AGENTS.md, instructions and MCP servers; HOME stays for the logins of cloud vendors.
  privateHome: {
    variable: "HOME",
    folder: "",
    links: [".local/share/opencode/auth.json", ".aws", ".config/gcloud"],
    // Without these it installs a package from npm into its configuration directory.
    files: [
      { path: ".config/opencode/node_modules/.keep", content: "" },
      {
        path: ".config/opencode/package-lock.json",
        content: JSON.stringify({ packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } }),
      },
    ],
  },
  silentRetries: { completion: SILENT_RETRIES, agent: SILENT_RETRIES },
  connection: OPENCODE_CONNECTION,
  refuse: refuseOpencode,
  projectStarts: OPENCODE_PROJECT,
  transports: {
    spawn: {
      launch: launchOpencode,
      wire: opencodeRun,
      // It exits before its stdout pipe is drained (fixture huge-output).
      stdout: "file",
      limits: { promptBytes: 10 * 1024 * 1024 },
      stopSignal: "SIGTERM",
      nativeTools: {
        ...BRIDGED_TOOLS,
        resultBytes: 30_000,
        // It tells the model that there are no other properties than those with a name.
        takes: ({ additionalProperties = false }) => additionalProperties === false,
        bridgeName: (server, tool) => `${server}_${tool}`,
      },
    },
  },
  recordedWires: [plainText],
  faults: OPENCODE_FAULTS,
  refusedCall: /^(?:The arguments provided to the tool are invalid: )?Model tried to call unavailable tool/,
  limitations: [
    "It adds a note after the system prompt: the model, the directory, the platform and the date.",
    "A model is written as provider/model. Its hosted service is used only if the model names it (opencode/…).",
    "In completion mode it runs no plugins, and Coxswain refuses a model of a provider that opencode.json configures. It uses logins, keys in the environment and OPENCODE_CONFIG or OPENCODE_CONFIG_CONTENT.",
    "It tries a failing service six times without output, for more than a minute or as long as the service asks for.",
    "It does not offer denied tools to the model. Of a call of such a tool it reports the name and not the input.",
    "Coxswain refuses the permission mode accept-edits: its tools also change files outside of the working directory, by a link of the project.",
    "Coxswain refuses a permission pattern for commands: OpenCode does not see assignments and redirections beside a command.",
    "Coxswain refuses a permission pattern that is a number, which it would read before all other rules, and a directory with * or ? in its name.",
    "It loads the plugins of a project whatever its settings say, so that Coxswain refuses an agent in a project with plugins unless trustProject is true.",
    "It reports a tool call only after the call has ended.",
    "It does not report an MCP server that fails to start, so that none can be required.",
    "It cannot be used as a resident process, because it does not report there that the output limit cut the answer.",
  ],
  sessionIds: /^ses_[0-9A-Za-z]+$/,
  models: [],
  modelList: { args: ["models"], read: (stdout) => stdout.match(/^\S+\/\S+$/gm) ?? [] },
  modelWords: ALL_MODEL_WORDS,
  versionsChecked: { oldest: "1.18.33", newest: "1.18.33" },
};
