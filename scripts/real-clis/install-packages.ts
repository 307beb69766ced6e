import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Versions by package. */
export type Packages = Readonly<Record<string, string>>;

/** Installs packages into a folder, beside its other packages, unless they are installed; npm's output goes to stderr. */
export function installPackages(folder: string, wanted: Packages): void {
  // The list of installed packages is written only after all of them are installed.
  const note = join(folder, "installed.json");
  const there = existsSync(note) ? (readJson(note) as Packages) : {};
  if (Object.entries(wanted).every(([name, version]) => there[name] === version)) return;
  const manifest = join(folder, "package.json");
  const before = existsSync(manifest) ? (readJson(manifest) as { readonly dependencies?: Packages }).dependencies : {};
  mkdirSync(folder, { recursive: true });
  const dependencies = { ...before, ...wanted };
  // Only the CLIs may run install scripts; those of their dependencies would compile code that the tests do not need.
  const allowScripts = Object.fromEntries(Object.keys(dependencies).map((name) => [name, true]));
  writeFileSync(manifest, `${JSON.stringify({ private: true, dependencies, allowScripts }, undefined, 2)}\n`);
  const names = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  process.stderr.write(`installing ${names.join(", ")}\n`);
  npm(folder, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retry-maxtimeout=10000");
  npm(folder, "rebuild", "--ignore-scripts=false", ...Object.keys(dependencies));
  writeFileSync(note, `${JSON.stringify(dependencies)}\n`);
}

function npm(cwd: string, ...words: readonly string[]): void {
  execFileSync("npm", words, { cwd, stdio: ["ignore", 2, 2] });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
