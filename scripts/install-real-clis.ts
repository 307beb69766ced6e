// Installs the pinned real CLIs for tests/real into .cache/real-clis, once; never dependencies of the package.
// Names of CLIs as arguments install these alone.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A CLI with a folder of its own has a command that another CLI has too. */
type Pin = { readonly package: string; readonly version: string; readonly folder?: string };
type Pins = Readonly<Record<string, Pin>>;

const root = join(import.meta.dirname, "..");
const cache = join(root, ".cache/real-clis");
const pins = readJson(join(root, "tests/real/pinned-clis.json")) as Pins;
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pins);

for (const folder of new Set(names.map((name) => folderOf(pinOf(name))))) {
  const wanted = names.map(pinOf).filter((pin) => folderOf(pin) === folder);
  if (!wanted.every(isInstalled)) install(folder, wanted);
}

function pinOf(name: string): Pin {
  const pin = pins[name];
  if (pin === undefined) throw new Error(`tests/real/pinned-clis.json has no ${name}`);
  return pin;
}

function folderOf(pin: Pin): string {
  return join(cache, pin.folder ?? "");
}

/** What a folder holds is noted when all of it is there. */
function isInstalled(pin: Pin): boolean {
  const note = join(folderOf(pin), "installed.json");
  return existsSync(note) && (readJson(note) as Record<string, string>)[pin.package] === pin.version;
}

/** Only the CLIs themselves may run install scripts; what they bring along would be compiled, and nothing here needs it. */
function install(folder: string, wanted: readonly Pin[]): void {
  const manifest = join(folder, "package.json");
  const before = existsSync(manifest) ? (readJson(manifest) as { readonly dependencies?: object }).dependencies : {};
  mkdirSync(folder, { recursive: true });
  const dependencies = { ...before, ...Object.fromEntries(wanted.map((pin) => [pin.package, pin.version])) };
  const allowScripts = Object.fromEntries(Object.keys(dependencies).map((name) => [name, true]));
  writeFileSync(manifest, `${JSON.stringify({ private: true, dependencies, allowScripts }, undefined, 2)}\n`);
  console.log(`installing ${wanted.map((pin) => `${pin.package}@${pin.version}`).join(", ")}`);
  npm(folder, "install", "--ignore-scripts", "--no-audit", "--no-fund");
  npm(folder, "rebuild", "--ignore-scripts=false", ...Object.keys(dependencies));
  writeFileSync(join(folder, "installed.json"), `${JSON.stringify(dependencies)}\n`);
}

function npm(cwd: string, ...words: readonly string[]): void {
  execFileSync("npm", words, { cwd, stdio: "inherit" });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
