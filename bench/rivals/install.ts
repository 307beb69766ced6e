import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the rivals are installed; never a dependency of the package. */
export const RIVALS_FOLDER: string = join(import.meta.dirname, "../../.cache/rivals");

/** The exact versions of the rivals, by package. */
export const rivalVersions: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "pinned-rivals.json"), "utf8"),
) as Record<string, string>;

/** Installs the pinned rivals once, without the CLIs that they bundle as optional dependencies: all use the same binary. */
export function installRivals(): void {
  const pins = Object.entries(rivalVersions);
  mkdirSync(RIVALS_FOLDER, { recursive: true });
  if (!pins.every(isInstalled)) {
    writeFileSync(join(RIVALS_FOLDER, "package.json"), '{ "private": true }\n');
    const packages = pins.map(([name, version]) => `${name}@${version}`);
    process.stderr.write(`installing ${packages.join(", ")}\n`);
    const options = ["--no-audit", "--no-fund", "--save-exact", "--omit=optional", "--ignore-scripts"];
    execFileSync("npm", ["install", ...options, ...packages], { cwd: RIVALS_FOLDER, stdio: ["ignore", 2, 2] });
  }
  for (const pin of pins) if (!isInstalled(pin)) throw new Error(`${pin.join("@")} could not be installed`);
  // Node resolves a bare specifier from the importing module, so the importing module is placed here.
  writeFileSync(join(RIVALS_FOLDER, "load.mjs"), "export const load = (name) => import(name);\n");
}

function isInstalled([name, version]: readonly [string, string]): boolean {
  const manifest = join(RIVALS_FOLDER, "node_modules", name, "package.json");
  return existsSync(manifest) && (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version === version;
}
