import { pathInJson, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";

/** What a CLI of Node finds in a project. */
export type HiddenNames = {
  /** Files and folders that are not there for the CLI, unless they are in the user's home. */
  readonly names: readonly string[];
  /** The variables that name the CLI's own home, if it is not the user's. */
  readonly homes: readonly string[];
  /** The names of the CLI's package, by which the program finds out that it is in the process of the CLI and not in that of a launcher. */
  readonly packages: readonly string[];
  /** Variables that get their value only once the project is hidden; the CLI starts nothing of a project without them. */
  readonly afterwards?: Variables;
};

/**
 * An argument that no CLI knows and that the program takes away: a CLI that refuses unknown arguments before it reads a project does not run in a process
 * into which the program was not loaded.
 */
export const ONLY_HIDDEN = "--coxswain-hides-the-project";

/**
 * A program for a CLI that has no other way to keep from a project's settings but one that also takes the user's hooks and servers and the rights of the
 * request. It does not read the project: the named files do not exist for the process of the CLI, and `.env` files that it would load are empty. The programs that the CLI starts
 * see everything.
 */
export function hideProject(hidden: HiddenNames, env: Surroundings = {}): { readonly file: TempFile; readonly env: Variables } {
  const file: TempFile = {
    name: "hide-project.cjs",
    content: PROGRAM.replace("SETTINGS", () => JSON.stringify({ ...hidden, mark: ONLY_HIDDEN })),
  };
  const own = env["NODE_OPTIONS"] ?? "";
  // `--require` reads the package.json of the working directory, and an invalid one would end the CLI.
  return { file, env: { NODE_OPTIONS: `--import "${pathInJson(file)}"${own === "" ? "" : ` ${own}`}` } };
}

const PROGRAM = `"use strict";
const { names, homes, packages, mark, afterwards = {} } = SETTINGS;
const fs = require("fs");
const os = require("os");
const path = require("path");
const { fileURLToPath } = require("url");
const { promisify } = require("util");

const owned = [os.homedir(), ...homes.flatMap((name) => process.env[name] || [])].flatMap((folder) => {
  const full = path.resolve(folder);
  try {
    return [full, fs.realpathSync(full)];
  } catch {
    return [full];
  }
});
const cwd = process.cwd();
const isCli = isOfPackage(process.argv[1] ?? "");
const isIn = (folder, file) => file === folder || file.startsWith(folder + path.sep);
const isDirectlyOwned = (file) => owned.includes(path.dirname(file));

function isOfPackage(script) {
  try {
    for (let folder = path.dirname(fs.realpathSync(script)); ; folder = path.dirname(folder)) {
      if (packages.includes(nameIn(folder))) return true;
      if (folder === path.dirname(folder)) return false;
    }
  } catch {
    return false;
  }
}

function nameIn(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).name;
  } catch {
    return undefined;
  }
}

function toPath(given) {
  try {
    if (typeof given === "string") return path.resolve(given);
    if (Buffer.isBuffer(given)) return path.resolve(given.toString());
    if (given instanceof URL) return fileURLToPath(given);
  } catch {}
  return "";
}

function isHidden(file) {
  const parts = file.split(path.sep);
  const from = isIn(cwd, file) ? cwd.split(path.sep).length : 0;
  const at = parts.findIndex((part, index) => index >= from && names.includes(part));
  if (at === -1) return false;
  const place = parts.slice(0, at + 1).join(path.sep);
  return !isDirectlyOwned(place) && !owned.some((home) => isIn(place, home) && isIn(home, file));
}

const NOWHERE = path.join(__dirname, "nothing", "is-here");
const toVisible = (original) =>
  function (given, ...rest) {
    return Reflect.apply(original, this, [isHidden(toPath(given)) ? NOWHERE : given, ...rest]);
  };
function wrap(original) {
  const wrapped = toVisible(original);
  for (const key of ["native", promisify.custom]) if (key in original) wrapped[key] = toVisible(original[key]);
  return wrapped;
}
const READING = ["access", "exists", "stat", "lstat", "open", "opendir", "readdir", "readFile", "readlink", "realpath", "cp", "copyFile"];
const FUNCTIONS = [...READING.flatMap((name) => [name, name + "Sync"]), "createReadStream", "openAsBlob", "watch", "watchFile"];
for (const api of [fs, fs.promises]) {
  for (const name of FUNCTIONS) if (typeof api[name] === "function") api[name] = wrap(api[name]);
}

const { readFileSync } = fs;
fs.readFileSync = function (given, options) {
  const file = toPath(given);
  const isForeign = path.basename(file) === ".env" && !isDirectlyOwned(file) && !isDirectlyOwned(path.dirname(file));
  if (!isForeign) return Reflect.apply(readFileSync, this, arguments);
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding ? "" : Buffer.alloc(0);
};
require("module").syncBuiltinESMExports();

if (isCli) {
  const left = (process.env.NODE_OPTIONS ?? "").replace(/^--import "(?:[^"\\\\]|\\\\.)*" ?/, "");
  if (left === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = left;
  process.argv = process.argv.filter((word) => word !== mark);
  Object.assign(process.env, afterwards);
}
`;
