import { plainText } from "../dialects/plain-text.ts";
import { qwenStream } from "../dialects/qwen-stream.ts";
import type { Provider } from "../spec/provider.ts";
import { QWEN_FAULTS } from "./qwen-faults.ts";
import { launchQwen, refuseForQwen } from "./qwen-launch.ts";

/** Qwen Code, Alibaba's CLI. */
export const qwen: Provider = {
  id: "qwen",
  aliases: ["qwen-code"],
  label: "Qwen Code",
  binary: { names: ["qwen"] },
  install: "npm install -g @qwen-code/qwen-code",
  login: "qwen auth",
  capabilities: {
    streaming: "token",
    reasoning: true,
    sessions: true,
    systemPrompt: "replace",
    ownTools: "off",
    hostTools: "text",
    mcp: ["stdio", "http", "sse"],
    structuredOutput: "native",
    images: false,
    resident: false,
    usage: "thread",
    cost: false,
    permissionRequests: false,
  },
  options: [
    "system-append",
    "add-dirs",
    "tool-patterns",
    "denial-reports",
    "session-id",
    "session-resume",
    "mcp-servers",
    "output-schema",
    "max-turns",
    "max-output-tokens",
    "profile",
  ],
  env: {
    // The launcher would start itself again: 0.9 s, 215 MB, and a process that signals do not reach.
    set: { QWEN_CODE_NO_RELAUNCH: "true" },
    strip: [
      "QWEN_SYSTEM_MD",
      "QWEN_WRITE_SYSTEM_MD",
      "QWEN_CODE_SIMPLE",
      "QWEN_RUNTIME_DIR",
      "QWEN_CODE_UNATTENDED_RETRY",
      "DEBUG",
    ],
    apiKeys: [
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "DASHSCOPE_API_KEY",
      "BAILIAN_CODING_PLAN_API_KEY",
    ],
    profile: "QWEN_HOME",
  },
  privateHome: {
    variable: "QWEN_HOME",
    folder: ".qwen",
    links: ["settings.json", ".env", "oauth_creds.json", "installation_id"],
    // Qwen Code writes an order to answer in the system's language there and sends it along.
    sinks: ["output-language.md"],
    keepsUserHome: true,
    forRun: true,
    kept: ["projects"],
  },
  launch: launchQwen,
  refuse: refuseForQwen,
  stdout: "file",
  formats: { "stream-json": qwenStream, json: qwenStream, text: plainText },
  defaultFormat: "stream-json",
  faults: QWEN_FAULTS,
  limits: { promptBytes: 8_000_000 },
  stopSignal: "SIGTERM",
  models: ["qwen3-coder-plus"],
  versionsChecked: ["0.15.10"],
};
