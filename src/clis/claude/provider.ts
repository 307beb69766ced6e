import { needsConsent } from "../../dialects/claude/claude-consent.ts";
import { claudeAskingInput } from "../../dialects/claude/claude-lines.ts";
import { claudeStream, claudeWire } from "../../dialects/claude/claude-stream.ts";
import { plainText } from "../../dialects/generic/plain-text.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { AdministratorSetting, SchemaDialect } from "../../spec/provider/provider-facts.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { CLAUDE_FAULTS, NO_SUCH_TOOL } from "./faults.ts";
import { CLAUDE_CONNECTION, claudeMcpConfig, launchClaude } from "./launch.ts";
import { CLAUDE_PROJECT } from "./project.ts";
import { residentOf } from "./resident.ts";

/** The folders of an administrator; on WSL that of Windows holds too. */
const FOLDERS: readonly string[] = [
  ...["/etc/claude-code", "/Library/Application Support/ClaudeCode", "C:\\Program Files\\ClaudeCode"],
  "/mnt/c/Program Files/ClaudeCode",
];

/**
 * With `disableAllHooks` of an administrator 2.1.197 starts no hook, also not the one by which it asks Coxswain about a call; 2.1.326 does. The places are those
 * in the program of 2.1.197; the last one is its copy of the settings that an organization serves.
 */
const CLAUDE_ADMINISTRATOR: AdministratorSetting = {
  setting: "disableAllHooks",
  since: "2.1.326",
  matters: needsConsent,
  places: [
    ...FOLDERS.flatMap((folder) => ["managed-settings.json", "managed-settings.d"].map((name) => ({ folder, name }))),
    { folder: "/Library/Managed Preferences", name: "." },
    { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", name: "remote-settings.json" },
  ],
};

/**
 * The schemas that Claude Code takes. It compiles a schema as draft 7 in strict mode and silently ignores the whole schema if it
 * has any other keyword or, in 2.1.197, any `format` (tests/real/schema-dialects). Anthropic's API refuses tools whose arguments
 * are a choice at their root, and tuples written as `items` with a list.
 */
export const CLAUDE_SCHEMAS: SchemaDialect = {
  keywords: [
    ...["$comment", "$defs", "$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "default", "definitions"],
    ...["dependencies", "description", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "if", "items"],
    ...["maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf"],
    ...["not", "oneOf", "pattern", "patternProperties", "properties", "propertyNames", "required", "then", "title", "type"],
    "uniqueItems",
  ],
  root: "object",
};

/**
 * All names but those of its own tools: the tools that both versions list at the start of an agent, and those that they add on demand. In a
 * completion too it drops a host tool `Agent`, hides all others if one is called `ToolSearch`, and changes the arguments of `Write`,
 * `Edit`, `Read`, `Bash` and `ExitPlanMode` (2.1.326).
 */
const NAMES =
  /^(?!(?:Agent|AskUserQuestion|Bash|BashOutput|DeferredToolPlaceholder|Cron(?:Create|Delete|List)|Edit|(?:Enter|Exit)(?:PlanMode|Worktree)|Glob|Grep|KillShell|List(?:Agents|McpResourcesTool)|LS|Monitor|MultiEdit|NotebookEdit|Read|ReadMcpResourceTool|ReportFindings|ScheduleWakeup|SendMessage|Skill|StructuredOutput|Task(?:Create|Get|List|Output|Stop|Update)?|TodoWrite|ToolSearch|WaitForMcpServers|WebFetch|WebSearch|Workflow|Write)$)[a-zA-Z0-9_-]{1,64}$/;

const SPAWN = {
  launch: launchClaude,
  wire: claudeWire({ input: claudeAskingInput }),
  limits: { promptBytes: 10 * 1024 * 1024 },
  stopSignal: "SIGINT",
  // 2.1.197 cuts descriptions at 2,048 characters, and both versions replace results between 450 and 600 KB.
  nativeTools: {
    names: NAMES,
    descriptionLength: 2048,
    keepsSchemaDescription: true,
    resultBytes: 450_000,
    canPark: true,
  },
  limitsCost: true,
  keepsConversation: true,
} as const;

/** Claude Code, Anthropic's CLI. */
export const claude: Provider = {
  id: "claude",
  aliases: ["claude-code"],
  label: "Claude Code",
  binary: { names: ["claude"] },
  install: "npm install -g @anthropic-ai/claude-code",
  login: "claude auth login",
  loginStatus: {
    command: { args: ["auth", "status"], loggedIn: { text: /"loggedIn": true/ }, loggedOut: { text: /"loggedIn": false/ } },
    files: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", names: [".credentials.json"] },
    env: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    keysFirst: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  },
  traits: {
    streaming: "token",
    reasoning: true,
    systemPrompt: "replace",
    ownTools: "off",
    usage: "turn",
    cost: true,
    permissionRequests: true,
  },
  options: [
    "system-append",
    "add-dirs",
    "tool-patterns",
    "denial-reports",
    "background-off",
    "session-id",
    "session-resume",
    "session-fork",
    "mcp-stdio",
    "mcp-http",
    "mcp-sse",
    "mcp-reports",
    "output-schema",
    "max-turns",
    "max-output-tokens",
    "effort",
    "images",
    "profile",
  ],
  mcpConfig: claudeMcpConfig,
  env: {
    set: {
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // The CLI's own ten retries take three minutes, even for a wrong key (fixture error-401). An agent has two (launch.ts).
      CLAUDE_CODE_MAX_RETRIES: "0",
    },
    strip: [],
    apiKeys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    secrets: ["ANTHROPIC_CUSTOM_HEADERS"],
    profile: "CLAUDE_CONFIG_DIR",
  },
  transcripts: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", path: "projects/<cwd>/<id>.jsonl" },
  connection: CLAUDE_CONNECTION,
  transports: { spawn: SPAWN, resident: residentOf(SPAWN) },
  projectStarts: CLAUDE_PROJECT,
  administrator: CLAUDE_ADMINISTRATOR,
  recordedWires: [{ ...claudeStream, framing: "json" }, plainText],
  faults: CLAUDE_FAULTS,
  schemaDialect: CLAUDE_SCHEMAS,
  objectTool: "StructuredOutput",
  refusedCall: NO_SUCH_TOOL,
  limitations: [
    "It tells the model the date. Since 2.1.325 it also tells the directory, operating system and model if its hooks are switched off.",
    "Images of more than about half a megabyte are compressed before they are sent.",
    "Since 2.1.325 a session can be resumed in another directory. Older versions do not find it there.",
    "In completion mode it does not report the wait that a rate-limited service states in a header.",
    "Since 2.1.325 it refuses to run a command that only sleeps.",
    "In agent mode it always runs commands that only read, and it also has the permissions of the user's own settings.",
  ],
  models: ["opus", "sonnet", "haiku"],
  vendorModels: /^claude-/,
  // `contextWindow` in the result lines of the fixtures; 200,000 is also what it assumes for a model that it does not know (fixtures/glm).
  maxInputTokens: { "[1m]": 1_000_000, "opus-5-5": 1_000_000, opus: 200_000, sonnet: 200_000, haiku: 200_000 },
  modelWords: MODEL_WORDS.anthropic,
  versionsChecked: { oldest: "2.1.197", newest: "2.1.326" },
  // 2.1.325 estimates three characters per token and refuses prompts above 2.9 MB; the API counts exactly.
  changes: [{ since: "2.1.198", set: { CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: "1000000000" } }],
};
