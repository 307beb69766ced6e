import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findOwnProgram } from "../../files/own-program.ts";
import type { Binary } from "../../spec/provider/provider.ts";

/** The arguments of the caller follow `prefixArgs`. */
export type FoundBinary = { readonly command: string; readonly prefixArgs: readonly string[] };

export type MissingBinary = { readonly missing: "absent" | "not-executable"; readonly looked: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the program of a provider in the absolute folders on the PATH of the given environment; a script of this package is run
 * with the current Node.
 */
export function findBinary(binary: Binary, env: Environment): FoundBinary | MissingBinary {
  if (!("names" in binary)) {
    const script = "own" in binary ? findOwnProgram(binary.own) : fileURLToPath(binary.script);
    if (script === undefined) return { missing: "absent", looked: "the package coxswain" };
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
export function relativeFolders(env: Environment): readonly string[] {
  return foldersOf(env).filter((folder) => folder !== "" && !isAbsolute(folder));
}

function foldersOf(env: Environment): readonly string[] {
  return (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
}

function candidates(name: string, env: Environment): readonly string[] {
  if (isAbsolute(name) || name.includes("/") || name.includes("\\")) return withExtensions(resolve(name), env);
  return foldersOf(env)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => withExtensions(join(folder, name), env));
}

function withExtensions(path: string, env: Environment): readonly string[] {
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
