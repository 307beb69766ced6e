import type { UserConfig } from "tsdown";

// Every module stays a file of its own, so that dist mirrors src: three of the entries run in
// processes of their own and are found by their address next to the module that starts them.
const config: UserConfig = {
  entry: [
    "src/index.ts",
    "src/testing/index.ts",
    "src/adapters/langchain/index.ts",
    "src/cli/main.ts",
    "src/process/guardian-main.ts",
    "src/rehearsal/rehearsal-cli.ts",
    "src/testing/fake-cli-play.ts",
  ],
  format: "esm",
  platform: "node",
  target: "node22.19",
  unbundle: true,
  fixedExtension: false,
  dts: true,
  sourcemap: true,
};

export default config;
