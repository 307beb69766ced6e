import { plainText } from "../../dialects/generic/plain-text.ts";
import { stringOf } from "../../spec/json.ts";
import type { FaultRule, Provider } from "../../spec/provider/provider.ts";
import type { ConnectionSettings } from "../../spec/provider/provider-facts.ts";
import { BRIDGED_TOOLS } from "../shared/bridged-tools.ts";
import { ALL_MODEL_WORDS } from "../shared/model-words.ts";
import { copilotMcpConfig, launchCopilot, refuseCopilot } from "./launch.ts";
import { copilotLines } from "./lines.ts";
import { COPILOT_PROJECT } from "./project.ts";

const PROXIES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/** A completion has settings of its own; the proxy of the user's is passed on as the variables that Copilot reads first. */
const COPILOT_CONNECTION: ConnectionSettings = {
  files: [{ variable: "COPILOT_HOME", folder: ".copilot", name: "settings.json" }],
  read: ([settings = {}], { env }) => {
    const proxy = stringOf(settings["proxyUrl"]);
    const principal = stringOf(settings["proxyKerberosServicePrincipal"]);
    const isFree = proxy !== undefined && !PROXIES.some((name) => env[name]);
    return {
      env: {
        ...(isFree && { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }),
        ...(principal !== undefined && !env["COPILOT_PROXY_KERBEROS_SPN"] && { COPILOT_PROXY_KERBEROS_SPN: principal }),
      },
    };
  },
};

/** The error texts of Copilot 1.0.102; fixtures/copilot/error-* and others. It reports a spent quota as `rate_limit`, so texts come first. */
const COPILOT_FAULTS: readonly FaultRule[] = [
  { kind: "quota", code: "quota-exhausted" },
  { status: 402, code: "quota-exhausted" },
  { kind: "authentication", status: 403, code: "access-denied" },
  { kind: "authorization", code: "access-denied" },
  { kind: "authentication", code: "not-logged-in" },
  { kind: "rate_limit", code: "rate-limited" },
  { text: /^Could not connect to (?:\w+ )?model provider|Failed native model HTTP request/, code: "connection-failed" },
  { text: /Failed to finalize .* stream/, code: "upstream-garbled" },
  { text: /^No response was returned/, code: "upstream-garbled", hint: "Send the message again; the model returned nothing." },
  // Copilot prints this for an unknown flag (fixture bad-flag).
  { text: /Invalid command format/, code: "unknown-option" },
  { text: /BYOK providers require an explicit model/, code: "cli-misconfigured" },
];

/** GitHub Copilot CLI. */
export const copilot: Provider = {
  id: "copilot",
  aliases: ["github-copilot"],
  label: "GitHub Copilot CLI",
  // The npm command is a loader: a signal ends the loader and leaves the native program running.
  binary: {
    names: ["copilot"],
    native: {
      "linux-x64": nativePaths("linux-x64", "linuxmusl-x64"),
      "linux-arm64": nativePaths("linux-arm64", "linuxmusl-arm64"),
      "darwin-x64": nativePaths("darwin-x64"),
      "darwin-arm64": nativePaths("darwin-arm64"),
    },
  },
  install: "npm install -g @github/copilot",
  login: "copilot login",
  // These tokens take precedence over a stored login.
  loginStatus: {
    env: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
    keysFirst: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
  },
  traits: { streaming: "token", reasoning: true, systemPrompt: "append", ownTools: "off", usage: "none", cost: false },
  options: [
    "system-append",
    "add-dirs",
    "tool-patterns",
    "denial-reports",
    "session-id",
    "session-resume",
    "mcp-stdio",
    "mcp-http",
    "mcp-reports",
    "effort",
    "profile",
  ],
  mcpConfig: copilotMcpConfig,
  env: {
    set: { COPILOT_AUTO_UPDATE: "false" },
    // The first allows every tool and trusts the directory; the second lets a model decide about permissions.
    strip: ["COPILOT_ALLOW_ALL", "COPILOT_ASSISTED_APPROVAL", "PWD"],
    apiKeys: ["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN", "COPILOT_PROVIDER_API_KEY_COMMAND"],
    profile: "COPILOT_HOME",
  },
  // Copilot starts the user's MCP servers, hooks and plugins from there. HOME stays, because Copilot unpacks 235 MB below it.
  privateHome: {
    variable: "COPILOT_HOME",
    folder: ".copilot",
    links: ["config.json"],
    files: [
      { path: "settings.json", content: JSON.stringify({ includeCoAuthoredBy: false, disableAllHooks: true, memory: false }) },
    ],
    keepsUserHome: true,
    forRun: true,
    kept: ["session-state"],
  },
  connection: COPILOT_CONNECTION,
  refuse: refuseCopilot,
  projectStarts: COPILOT_PROJECT,
  transcripts: { variable: "COPILOT_HOME", folder: ".copilot", path: "session-state/<id>" },
  transports: {
    spawn: {
      launch: launchCopilot,
      wire: copilotLines,
      limits: { promptBytes: 10 * 1024 * 1024 },
      stopSignal: "SIGTERM",
      nativeTools: {
        ...BRIDGED_TOOLS,
        canPark: true,
        resultBytes: 15_000,
        bridgeName: (server, tool) => `${server}-${tool}`,
      },
    },
  },
  recordedWires: [plainText],
  faults: COPILOT_FAULTS,
  refusedCall: /^Tool '[^']*' does not exist/,
  limitations: [
    "It keeps its own system prompt (7 KB without tools) and adds yours to it.",
    "It puts the time in front of each prompt. Spaces and line breaks at the end of a prompt are not sent.",
    "Coxswain refuses a prompt that begins with its command /compact, /autopilot or /goal.",
    "An agent gets no sub-agents unless trustProject is true: Copilot would start the MCP servers of a project's agents.",
    "A command that a permission pattern allows must stand alone; a hook of Coxswain checks that.",
    "It does not report tokens, refusals, or that the output limit cut the answer. It asks the model twice to continue a cut answer.",
    "It tries a failing service six times, for up to a minute, and a wrong key three times.",
    "It cannot be used as a resident process, because its own notes and errors look like text of the model there.",
    "The first start unpacks 235 MB to ~/.cache/copilot.",
  ],
  models: [],
  modelList: { args: ["help", "config"], read: readCopilotModels },
  modelWords: ALL_MODEL_WORDS,
  versionsChecked: { oldest: "1.0.102", newest: "1.0.102" },
};

/** Beside the loader's package or below it. */
function nativePaths(...platforms: readonly string[]): readonly string[] {
  return platforms.flatMap((platform) => [`../copilot-${platform}/copilot`, `node_modules/@github/copilot-${platform}/copilot`]);
}

/** The help about its settings lists the models below the setting `model`, one `- "name"` in each line. */
function readCopilotModels(stdout: string): readonly string[] {
  const [, list = ""] = /^ *`model`:.*\n((?: +- "[^"\n]+"\n)*)/m.exec(stdout) ?? [];
  return [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
}
