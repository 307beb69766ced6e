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
import { build } from "tsdown";
import tsdownConfigs from "../../tsdown.config.ts";
import { builtFile } from "./built-file.ts";

const checkout = join(import.meta.dirname, "../..");
const parts = ["src", "bin", "package.json", "tsdown.config.ts"];

const builtPackage = dirname(builtFile("package.json"));

/** Builds the package unless it was built from these very sources. */
export async function buildPackage(): Promise<void> {
  const digest = digestOf(parts.flatMap(listFiles).toSorted());
  const noted = join(builtPackage, "digest");
  if (existsSync(noted) && readFileSync(noted, "utf8") === digest) return;
  mkdirSync(dirname(builtPackage), { recursive: true });
  const made = mkdtempSync(`${builtPackage}-`);
  const outDir = join(made, "dist");
  const options = { config: false, cwd: checkout, outDir, clean: false, dts: false, sourcemap: false } as const;
  for (const config of tsdownConfigs) await build({ ...config, ...options, logLevel: "error" });
  for (const part of ["bin", "package.json"]) cpSync(join(checkout, part), join(made, part), { recursive: true });
  writeFileSync(join(made, "digest"), digest);
  rmSync(builtPackage, { recursive: true, force: true });
  renameSync(made, builtPackage);
}

function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(checkout, file)));
  return hash.digest("hex");
}

function listFiles(part: string): readonly string[] {
  if (!statSync(join(checkout, part)).isDirectory()) return [part];
  return readdirSync(join(checkout, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length + 1));
}
