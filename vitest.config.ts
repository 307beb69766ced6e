import type { ViteUserConfig } from "vitest/config";
import { builtPackageFolder } from "./tests/built/build-package.ts";
import { startBuiltPrograms } from "./tests/built/start-built-programs.ts";

const builtPackage = builtPackageFolder();

const config: ViteUserConfig = {
  plugins: [startBuiltPrograms(builtPackage)],
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    // Needs real CLIs: npm run test:real.
    exclude: ["tests/real/**"],
    environment: "node",
    globals: false,
    pool: "forks",
    retry: 0,
    provide: { builtPackage },
    globalSetup: ["tests/built/global-setup.ts"],
    setupFiles: ["tests/built/hold-guardian.ts"],
    // A guard against hanging, not a measure of speed.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    ...(process.env["CI"] ? { maxWorkers: 2 } : {}),
  },
};

export default config;
