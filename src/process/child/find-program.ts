import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Binary } from "../../spec/provider/provider.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";

/** The arguments of the caller follow `prefixArgs`. */
export type FoundBinary = { readonly command: string; readonly prefixArgs: readonly string[] };

export type MissingBinary = { readonly missing: "absent" | "not-executable"; readonly looked: string };

/**
 * Finds the program of a provider in the absolute folders on the PATH of the given environment; a script of this package is run
 * with the current Node.
 */
export function findBinary(binary: Binary, env: Surroundings): FoundBinary | MissingBinary {
  if (!("names" in binary)) {
    const script = "own" in binary ? findOwnProgram(binary.own) : fileURLToPath(binary.script);
    if (script === undefined) return { missing: "absent", looked: "the package coxswain" };
    if ("script" in binary && stateOf(script) === "absent") return { missing: "absent", looked: script };
    return { command: process.execPath, prefixArgs: ["--disable-warning=ExperimentalWarning", script] };
  }
  let refused: string | undefined;
  for (const candidate of binary.names.flatMap((name) => candidates(name, env))) {
    const state = stateOf(candidate);
    if (state === "executable") return { command: nativeBehind(candidate, binary.native) ?? candidate, prefixArgs: [] };
    if (state === "not-executable") refused ??= candidate;
  }
  if (refused !== undefined) return { missing: "not-executable", looked: refused };
  return { missing: "absent", looked: binary.names.join(", ") };
}

/** The native program behind an npm launcher. The launcher costs a start of Node, and it may outlive or lose its native child. */
function nativeBehind(launcher: string, native: Readonly<Record<string, readonly string[]>> | undefined): string | undefined {
  const paths = native?.[`${process.platform}-${process.arch}`];
  if (paths === undefined) return undefined;
  const folder = dirname(realpathSync(launcher));
  return paths.map((path) => join(folder, path)).find((path) => stateOf(path) === "executable");
}

/** The entries of PATH that are not searched: a relative one means another folder in each working directory, such as a project's. */
export function relativeFolders(env: Surroundings): readonly string[] {
  return foldersOf(env).filter((folder) => folder !== "" && !isAbsolute(folder));
}

function foldersOf(env: Surroundings): readonly string[] {
  return (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
}

function candidates(name: string, env: Surroundings): readonly string[] {
  if (isAbsolute(name) || name.includes("/") || name.includes("\\")) return withExtensions(resolve(name), env);
  return foldersOf(env)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => withExtensions(join(folder, name), env));
}

function withExtensions(path: string, env: Surroundings): readonly string[] {
  if (process.platform !== "win32") return [path];
  const extensions = (env["PATHEXT"] ?? ".EXE;.CMD;.BAT;.COM").split(";");
  return [...extensions.map((extension) => path + extension.toLowerCase()), path];
}

function stateOf(path: string): "executable" | "not-executable" | "absent" {
  try {
    // Most folders on PATH do not have the program, and an exception takes longer than the system call.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return "absent";
  } catch {
    return "absent";
  }
  try {
    accessSync(path, constants.X_OK);
    return "executable";
  } catch {
    return "not-executable";
  }
}

/** Replaced by the build; in the sources and in tests there is no such name. */
declare const COXSWAIN_VERSION: string;

/** The name of a program that ships with this package, as a path below its code without an extension. */
export type OwnProgram = "process/guardian/guardian-main" | "rehearsal/rehearsal-cli";

/**
 * The file of a program of this package; undefined if there is none. A bundler leaves the programs out, so they are then searched in the installed
 * package of the same version, from the bundle and from the script of this process. The current directory may have files of somebody else.
 */
export function findOwnProgram(name: OwnProgram): string | undefined {
  const address = ownAddress();
  if (address?.endsWith(".ts")) return fileURLToPath(new URL(`../../${name}.ts`, address));
  const beside = address === undefined ? undefined : fileURLToPath(new URL(`../../${name}.cjs`, address));
  if (beside !== undefined && existsSync(beside)) return beside;
  return placesOfBundle(address)
    .map((place) => installedProgram(place, name))
    .find((path) => path !== undefined);
}

export function ownVersion(): string | undefined {
  if (typeof COXSWAIN_VERSION === "string") return COXSWAIN_VERSION;
  const address = ownAddress();
  return address === undefined ? undefined : versionIn(fileURLToPath(new URL("../../../package.json", address)));
}

/** Loads a package that only some systems need, as this module would. */
export function requireLate(name: string): unknown {
  const [place = process.execPath] = placesOfBundle(ownAddress());
  return createRequire(place)(name);
}

/** The address of this module; a bundle in the format of CommonJS has none. */
function ownAddress(): string | undefined {
  try {
    return import.meta.url;
  } catch {
    return undefined;
  }
}

function placesOfBundle(address: string | undefined): readonly string[] {
  const script = process.argv[1];
  const places = [address, script === undefined ? undefined : pathToFileURL(script).href];
  return places.filter((place) => place !== undefined);
}

function installedProgram(place: string, name: OwnProgram): string | undefined {
  try {
    const manifest = createRequire(place).resolve("coxswain/package.json");
    if (versionIn(manifest) !== ownVersion()) return undefined;
    const path = join(manifest, "../dist", `${name}.cjs`);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function versionIn(manifest: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
