import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";
import { startBuiltPrograms } from "./tests/built/start-built-programs.ts";
import { LongestFirst } from "./tests/longest-first.ts";

// `npm run test:real -- --all`; scripts/test-real.sh says which files it leaves out otherwise.
const isWhole = process.env["COXSWAIN_REAL_SUITE"] === "all";

const config: ViteUserConfig = {
  plugins: [startBuiltPrograms()],
  test: {
    include: ["tests/real/**/*.test.ts"],
    exclude: isWhole ? [] : ["tests/real/nightly/**"],
    environment: "node",
    pool: "forks",
    retry: 0,
    // Files share the modules and the guardian of their worker; each alone would cost half a second of processor time more.
    isolate: false,
    unstubEnvs: true,
    // Most of these files wait for a CLI, for a clock of ours, or for three seconds in which nothing may be left.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["tests/built/global-setup.ts"],
    // A guardian per client would take a third of a second of processor time in every test.
    setupFiles: ["tests/built/hold-guardian.ts"],
    // Guards against hanging: a CLI takes half a second to start on a quiet machine.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", ["json", { outputFile: "reports/test-real-results.json" }]],
  },
};

export default config;
