import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";
import { SpreadWaiting } from "./tests/spread-waiting.ts";
import { startBuiltPrograms } from "./tests/support/built/start-built-programs.ts";

// `npm run test:real -- --all`; scripts/test-real.sh says which files it leaves out otherwise.
const isWhole = process.env["COXSWAIN_REAL_SUITE"] === "all";
const left = isWhole ? [] : ["tests/real/nightly/**"];

// Files that judge the guardian of their whole process, which ends with the last client of any file.
const alone = [
  "tests/real/{copilot,gemini,grok,grok-vibe,opencode,qwen}.test.ts",
  "tests/real/stopping*.test.ts",
  "tests/real/{inert-refusals,waiting}.test.ts",
  "tests/real/nightly/{oldest,stopping}.test.ts",
];

const common = {
  environment: "node",
  pool: "forks",
  retry: 0,
  // A guardian per client would take a third of a second of processor time in every test.
  setupFiles: "tests/support/built/hold-guardian.ts",
  // Guards against hanging: a CLI takes half a second to start on a quiet machine.
  testTimeout: 90_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
} as const;

const config: ViteUserConfig = {
  test: {
    // Most of these files wait for a CLI, for a clock of ours, or for three seconds in which nothing may be left.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SpreadWaiting },
    globalSetup: ["tests/support/built/global-setup.ts"],
    reporters: ["default", ["json", { outputFile: "reports/test-real-results.json" }]],
    projects: [
      { plugins: [startBuiltPrograms()], test: { ...common, name: "alone", include: alone, exclude: left } },
      {
        plugins: [startBuiltPrograms()],
        test: {
          ...common,
          name: "process",
          include: ["tests/real/**/*.test.ts"],
          exclude: [...alone, ...left],
          // Each file alone would take half a second of processor time more, for its imports and its guardian.
          isolate: false,
          unstubEnvs: true,
        },
      },
    ],
  },
};

export default config;
