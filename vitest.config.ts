import type { ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = {
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    // Needs real CLIs: npm run test:real.
    exclude: ["tests/real/**"],
    environment: "node",
    globals: false,
    pool: "forks",
    retry: 0,
    // A guard against hanging, not a measure of speed.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    ...(process.env["CI"] ? { maxWorkers: 2 } : {}),
  },
};

export default config;
