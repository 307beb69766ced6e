import { claude } from "./claude.ts";
import type { HostileRow } from "./hostile-row.ts";
import { opencode } from "./opencode.ts";

/** The hostile project of each CLI. */
export const HOSTILE_ROWS: readonly HostileRow[] = [claude, { ...claude, name: "glm" }, opencode];
