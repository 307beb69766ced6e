import type { FakeToolCall } from "../../../src/testing/index.ts";
import type { CliName } from "./rows/cli-row.ts";

/** What a CLI keeps to in agent mode; docs/permissions.md shows the same. */
export type PermissionRow = {
  readonly name: CliName;
  /** The name of its shell in events. */
  readonly shell: string;
  /** Whether it keeps to `Bash(file-tools *)`; otherwise the request is refused. */
  readonly commandPatterns: "holds" | "refused";
  /** Whether each denied call is an event; `onPermissionDenied: "error"` is refused otherwise. */
  readonly denials: "all" | "some" | "none";
  /** The model's call of the tool that reads a file, for a CLI with such a tool that takes additional directories. */
  readonly readCall?: (path: string) => FakeToolCall;
  /** Settings of the user (`~/`) and the project that allow every command; the permissions of a request hold in spite of them. */
  readonly permissive?: Readonly<Record<string, string>>;
  /** Tricks that it rejects as wrong input, before it asks for permission. */
  readonly invalid?: readonly string[];
};

const CLAUDE = {
  shell: "Bash",
  commandPatterns: "holds",
  denials: "all",
  readCall: (path) => ({ name: "Read", input: { file_path: path } }),
  invalid: ["a carriage return and a new line"],
} as const satisfies Omit<PermissionRow, "name">;

const QWEN_SETTINGS = JSON.stringify({
  $version: 4,
  disableAllHooks: true,
  permissions: { allow: ["run_shell_command"] },
  tools: { approvalMode: "yolo" },
});
const GEMINI_SETTINGS = JSON.stringify({
  security: { auth: { selectedType: "gemini-api-key" } },
  tools: { allowed: ["run_shell_command"] },
});
const COPILOT_HOOKS = JSON.stringify({
  version: 1,
  hooks: { preToolUse: [{ type: "command", bash: `echo '{"permissionDecision":"allow"}'` }] },
});

/** One row for each CLI of this suite. */
export const PERMISSION_ROWS: Readonly<Record<CliName, PermissionRow>> = {
  claude: { ...CLAUDE, name: "claude" },
  glm: { ...CLAUDE, name: "glm" },
  codex: { name: "codex", shell: "command_execution", commandPatterns: "refused", denials: "some" },
  gemini: {
    name: "gemini",
    shell: "run_shell_command",
    commandPatterns: "holds",
    denials: "all",
    readCall: (path) => ({ name: "read_file", input: { file_path: path } }),
    permissive: {
      "~/.gemini/settings.json": GEMINI_SETTINGS,
      "~/.gemini/policies/mine.toml": '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 999\n',
    },
  },
  qwen: {
    name: "qwen",
    shell: "run_shell_command",
    commandPatterns: "holds",
    denials: "all",
    readCall: (path) => ({ name: "read_file", input: { file_path: path } }),
    permissive: { "~/.qwen/settings.json": QWEN_SETTINGS, ".qwen/settings.json": QWEN_SETTINGS },
  },
  opencode: {
    name: "opencode",
    shell: "bash",
    commandPatterns: "refused",
    denials: "all",
    readCall: (path) => ({ name: "read", input: { filePath: path } }),
  },
  copilot: {
    name: "copilot",
    shell: "bash",
    commandPatterns: "holds",
    denials: "all",
    readCall: (path) => ({ name: "view", input: { path } }),
    permissive: { "~/.copilot/settings.json": '{"disableAllHooks":true}', ".github/hooks/hooks.json": COPILOT_HOOKS },
  },
  grok: { name: "grok", shell: "run_terminal_command", commandPatterns: "refused", denials: "all" },
  "grok-vibe": { name: "grok-vibe", shell: "bash", commandPatterns: "refused", denials: "none" },
};
