import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";
import { SpreadWaiting } from "./tests/spread-waiting.ts";
import { startBuiltPrograms } from "./tests/support/built/start-built-programs.ts";

// Needs real CLIs: npm run test:real.
const real = "tests/real/**";

// Files that judge what belongs to their whole process: its guardian, and the numbers of its runs.
const alone = ["tests/e2e/process/concurrent-runs.test.ts", "tests/e2e/process/guardian.test.ts"];

// Not part of npm test: npm run test:slow.
const slow = [
  "tests/soak/**/*.test.ts",
  "tests/packaging/**/*.test.ts",
  "tests/examples/**/*.test.ts",
  "tests/e2e/process/hidden-children*.test.ts",
  "tests/gateway/{many-requests,slow-client}.test.ts",
  // Limits of the system: megabytes that nobody reads, pipes that break, disks that are full.
  "tests/e2e/output/{consumers,file-output,file-output-hosts,full-disk,lines}.test.ts",
  "tests/cli/unwritable-stdout.test.ts",
  // Whole programs that take half a second or another program to start: other tests prove their parts.
  "tests/cli/{run,sources,warm-terminal}.test.ts",
  // Every cut of every recording, every wrong type, every order, and random bytes: other tests prove the same by samples.
  "tests/contract/splits.test.ts",
  "tests/contract/claude-language/{wrong-types,any-order}.test.ts",
  "tests/e2e/output/any-bytes.test.ts",
  // A thousand random conversations; npm test plays a hundred.
  "tests/bill/many.test.ts",
];

const common = {
  environment: "node",
  globals: false,
  pool: "forks",
  retry: 0,
  // A guard against hanging, not a measure of speed: on a busy machine a test takes twenty times as long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

const config: ViteUserConfig = {
  test: {
    // Files that wait for processes and clocks leave a core to others.
    maxWorkers: availableParallelism() + 6,
    sequence: { sequencer: SpreadWaiting },
    globalSetup: ["tests/support/built/global-setup.ts"],
    projects: [
      { plugins: [startBuiltPrograms()], test: { ...common, name: "alone", include: alone } },
      { plugins: [startBuiltPrograms()], test: { ...common, name: "slow", include: slow } },
      {
        plugins: [startBuiltPrograms()],
        test: {
          ...common,
          // Also the files that start no process: in workers of their own they would load the same modules again.
          name: "process",
          include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [real, ...alone, ...slow],
          isolate: false,
          unstubEnvs: true,
          setupFiles: ["tests/support/built/hold-guardian.ts"],
        },
      },
    ],
  },
};

export default config;
