import type { AttackedCli, CliTools } from "../cli-tools.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { grok } from "./grok.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** The tools of each CLI. */
export const CLI_TOOLS: Readonly<Record<AttackedCli, CliTools>> = { claude, codex, gemini, qwen, opencode, copilot, grok };
