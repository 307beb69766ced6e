import { claude } from "./claude.ts";
import { gemini } from "./gemini.ts";
import type { HostileRow } from "./hostile-row.ts";
import { qwen } from "./qwen.ts";

/** The hostile project of each CLI. */
export const HOSTILE_ROWS: readonly HostileRow[] = [claude, { ...claude, name: "glm" }, gemini, qwen];
