import type { ViteUserConfig } from "vitest/config";
import { LongestFirst } from "./tests/longest-first.ts";

const config: ViteUserConfig = {
  test: {
    include: ["tests/real/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    retry: 0,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Guards against hanging: a CLI takes half a second to start on a quiet machine.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    reporters: ["default", ["json", { outputFile: "reports/test-real-results.json" }]],
  },
};

export default config;
