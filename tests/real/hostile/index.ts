import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { grok } from "./grok.ts";
import type { HostileRow } from "./hostile-row.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** The hostile project of each CLI. */
export const HOSTILE_ROWS: readonly HostileRow[] = [
  ...[claude, { ...claude, name: "glm" } as const],
  ...[gemini, qwen, opencode, copilot, codex, grok],
];
