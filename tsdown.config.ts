import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { UserConfig } from "tsdown";
import { keepAddresses } from "./scripts/keep-addresses.ts";

const { version }: { readonly version: string } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** What every build of the package has in common. A bundle of the package finds the installed package of the same version by its number. */
export const common: UserConfig = {
  platform: "node",
  target: "node22.19",
  fixedExtension: false,
  sourcemap: true,
  define: { COXSWAIN_VERSION: JSON.stringify(version) },
};

/** Packages that are bundled too: their many files would take a tenth of a start of `cox`. */
const BUNDLED: string[] = ["commander", "jsonc-parser", "picocolors", "smol-toml"];

// The modules are bundled into a few files: `cox ask --help` takes a third of the processor time that it takes with a file per module.
const library: UserConfig = {
  ...common,
  entry: [
    "src/index.ts",
    "src/provider.ts",
    "src/compatibility-views/index.ts",
    "src/testing/index.ts",
    "src/adapters/langchain/index.ts",
    "src/adapters/ai-sdk/index.ts",
    "src/agent/index.ts",
    "src/gateway/index.ts",
    "src/cli/main.ts",
    "src/cli/keep-compiled.ts",
    "src/testing/fake-cli-play.ts",
  ],
  format: "esm",
  dts: true,
  // Its main file is UMD, which no bundler can follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  deps: { alwaysBundle: BUNDLED, onlyBundle: BUNDLED },
  copy: BUNDLED.map((name) => ({
    from: `node_modules/${name}/LICENSE${name === "jsonc-parser" ? ".md" : ""}`,
    rename: `LICENSE-${name}`,
  })),
  plugins: [keepAddresses(fileURLToPath(new URL("src", import.meta.url)))],
};

// As one file that needs no loader of ES modules, a program starts in 8 ms less, and the guardian, which stays in memory, needs 2 MB less.
const program: UserConfig = { ...common, format: "cjs", dts: false };
const guardian: UserConfig = { ...program, entry: { "process/guardian/guardian-main": "src/process/guardian/guardian-main.ts" } };
const rehearsal: UserConfig = { ...program, entry: { "rehearsal/rehearsal-cli": "src/rehearsal/rehearsal-cli.ts" } };

const configs: readonly UserConfig[] = [library, guardian, rehearsal];

export default configs;
