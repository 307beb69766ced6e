import { claude } from "./claude.ts";
import type { CliName, CliRow } from "./cli-row.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { glm } from "./glm.ts";
import { grok } from "./grok.ts";
import { grokVibe } from "./grok-vibe.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

export type { CliName } from "./cli-row.ts";

/** The set-up of each CLI. */
export const CLI_ROWS: Readonly<Record<CliName, CliRow>> = {
  claude,
  codex,
  copilot,
  gemini,
  glm,
  grok,
  "grok-vibe": grokVibe,
  opencode,
  qwen,
};
