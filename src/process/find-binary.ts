import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Binary } from "../spec/provider.ts";

/** A program that can be started: the file and what goes in front of its arguments. */
export type FoundBinary = { readonly command: string; readonly prefixArgs: readonly string[] };

/** Why none was found: there is no such file, or there is one that may not be executed. */
export type MissingBinary = { readonly missing: "absent" | "not-executable"; readonly looked: string };

/** Finds the program of a provider on the PATH of the given environment, or a script of ours beside the Node that runs us. */
export function findBinary(binary: Binary, env: Readonly<Record<string, string | undefined>>): FoundBinary | MissingBinary {
  if ("script" in binary) {
    const prefixArgs = ["--disable-warning=ExperimentalWarning", fileURLToPath(binary.script)];
    return { command: process.execPath, prefixArgs };
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

/** Launchers written in Node cost a start of Node and may outlive or lose their native child; the native program does neither. */
function nativeBehind(launcher: string, native: Readonly<Record<string, readonly string[]>> | undefined): string | undefined {
  const paths = native?.[`${process.platform}-${process.arch}`];
  if (paths === undefined) return undefined;
  const folder = dirname(realpathSync(launcher));
  return paths.map((path) => join(folder, path)).find((path) => stateOf(path) === "executable");
}

function candidates(name: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (isAbsolute(name) || name.includes("/") || name.includes("\\")) return withExtensions(resolve(name), env);
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => withExtensions(resolve(folder, name), env));
}

function withExtensions(path: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (process.platform !== "win32") return [path];
  const extensions = (env["PATHEXT"] ?? ".EXE;.CMD;.BAT;.COM").split(";");
  return [...extensions.map((extension) => path + extension.toLowerCase()), path];
}

function stateOf(path: string): "executable" | "not-executable" | "absent" {
  try {
    if (!statSync(path).isFile()) return "absent";
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
