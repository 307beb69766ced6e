// Installs the pinned real CLIs for tests/real into .cache/real-clis, once; never dependencies of the package.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Pin = { readonly package: string; readonly version: string };

const root = join(import.meta.dirname, "..");
const folder = join(root, ".cache/real-clis");
const pins = Object.values(JSON.parse(readFileSync(join(root, "tests/real/pinned-clis.json"), "utf8")) as Record<string, Pin>);

function isInstalled(pin: Pin): boolean {
  const manifest = join(folder, "node_modules", pin.package, "package.json");
  return existsSync(manifest) && (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version === pin.version;
}

if (!pins.every(isInstalled)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const packages = pins.map((pin) => `${pin.package}@${pin.version}`);
  console.log(`installing ${packages.join(", ")}`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...packages], { cwd: folder, stdio: "inherit" });
}
for (const pin of pins) if (!isInstalled(pin)) throw new Error(`${pin.package}@${pin.version} could not be installed`);
