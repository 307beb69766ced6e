import { join } from "node:path";
import { afterAll } from "vitest";
import { REAL_CLIS } from "../support/real-clis/real-cli.ts";

/** Every test of this file uses the oldest supported versions. */
export function useOldest(): void {
  const before = process.env["COXSWAIN_REAL_CLIS"];
  // The next file of the same worker uses the pinned versions again.
  afterAll(() => {
    if (before === undefined) delete process.env["COXSWAIN_REAL_CLIS"];
    else process.env["COXSWAIN_REAL_CLIS"] = before;
  });
  process.env["COXSWAIN_REAL_CLIS"] = ["claude", "qwen"].map((name) => `${name}=${join(REAL_CLIS, "oldest")}`).join(",");
}
