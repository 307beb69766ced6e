import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { build, type UserConfig } from "tsdown";
import tsdownConfigs, { common } from "../../../tsdown.config.ts";
import { builtFile } from "./built-file.ts";
import { startBuiltPrograms, stayAtSources } from "./start-built-programs.ts";

const checkout = join(import.meta.dirname, "../../..");
const parts = [
  "src",
  "bin",
  "package.json",
  "tsdown.config.ts",
  "scripts/keep-addresses.ts",
  "tests/bill",
  "tests/cli/programs",
  "tests/e2e",
  "tests/langchain",
  "tests/soak",
  "tests/support",
];
/** Programs of tests in TypeScript; each is bundled into few files: a start from the sources costs 0.03 s more, and 0.4 s with the library. */
const programs = [
  "tests/bill/hosts/*.ts",
  "tests/cli/programs/*.ts",
  "tests/e2e/hosts/*.ts",
  "tests/langchain/programs/*.ts",
  "tests/soak/hosts/*.ts",
];

const builtPackage = dirname(builtFile("package.json"));

/** Builds the package unless it was built from the same sources in this folder, which its programs name. */
export async function buildPackage(): Promise<void> {
  const digest = digestOf(parts.flatMap(listFiles).toSorted());
  const noted = join(builtPackage, "digest");
  if (existsSync(noted) && readFileSync(noted, "utf8") === digest) return;
  mkdirSync(dirname(builtPackage), { recursive: true });
  const made = mkdtempSync(`${builtPackage}-`);
  for (const config of tsdownConfigs) await bundle(config, join(made, "dist"));
  const plugins = [startBuiltPrograms(), stayAtSources()];
  await bundle({ ...common, entry: programs, format: "esm", plugins }, join(made, "dist/tests"));
  for (const part of ["bin", "package.json"]) cpSync(join(checkout, part), join(made, part), { recursive: true });
  writeFileSync(join(made, "digest"), digest);
  rmSync(builtPackage, { recursive: true, force: true });
  renameSync(made, builtPackage);
}

async function bundle(config: UserConfig, outDir: string): Promise<void> {
  const ours = { config: false, cwd: checkout, outDir, logLevel: "error" } as const;
  await build({ ...config, ...ours, clean: false, copy: [], dts: false, sourcemap: false });
}

function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256").update(checkout);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(checkout, file)));
  return hash.digest("hex");
}

function listFiles(part: string): readonly string[] {
  if (!statSync(join(checkout, part)).isDirectory()) return [part];
  return readdirSync(join(checkout, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length + 1));
}
