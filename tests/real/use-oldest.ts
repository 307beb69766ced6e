import { join } from "node:path";
import { REAL_CLIS } from "./real-cli.ts";

/** Every test of this file uses the oldest supported versions. */
export function useOldest(): void {
  process.env["COXSWAIN_REAL_CLIS"] = ["claude", "qwen"].map((name) => `${name}=${join(REAL_CLIS, "oldest")}`).join(",");
}
