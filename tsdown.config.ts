import { fileURLToPath } from "node:url";
import type { UserConfig } from "tsdown";
import { keepAddresses } from "./scripts/keep-addresses.ts";

/** What every build of the package has in common. */
export const common: UserConfig = { platform: "node", target: "node22.19", fixedExtension: false, sourcemap: true };

// The modules are bundled into a few files: `cox ask --help` takes a third of the processor time that it takes with a file per module.
const library: UserConfig = {
  ...common,
  entry: [
    "src/index.ts",
    "src/testing/index.ts",
    "src/adapters/langchain/index.ts",
    "src/adapters/ai-sdk/index.ts",
    "src/agent/index.ts",
    "src/gateway/index.ts",
    "src/cli/main.ts",
    "src/rehearsal/rehearsal-cli.ts",
    "src/testing/fake-cli-play.ts",
  ],
  format: "esm",
  dts: true,
  plugins: [keepAddresses(fileURLToPath(new URL("src", import.meta.url)))],
};

// The guardian stays in memory as long as its host. As one file without Node's loader of modules it needs 2 MB less.
const guardian: UserConfig = {
  ...common,
  entry: { "process/guardian-main": "src/process/guardian-main.ts" },
  format: "cjs",
  dts: false,
};

const configs: readonly UserConfig[] = [library, guardian];

export default configs;
