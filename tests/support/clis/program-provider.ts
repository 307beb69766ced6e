import { globSync } from "node:fs";
import { basename } from "node:path";
import { claude } from "../../../src/clis/claude/provider.ts";
import { type Provider, type Transport, withoutNativeTools, withSpawn } from "../../../src/spec/provider/provider.ts";

const folder = new URL("programs/", import.meta.url);
/** The programs by their names. */
const programs: ReadonlyMap<string, URL> = new Map(
  globSync("*/*.mjs", { cwd: folder }).map((path) => [basename(path, ".mjs"), new URL(path, folder)]),
);

/** A provider with Claude's wire that runs a program of programs/; the variable STDOUT=file is for hosts. */
export function programProvider(program: string, changes: Partial<Provider> = {}, spawn: Partial<Transport> = {}): Provider {
  const script = programs.get(program);
  if (script === undefined) throw new Error(`${folder.pathname} has no program ${program}`);
  const stdout = process.env["STDOUT"] === "file" ? "file" : "pipe";
  const provider = withoutNativeTools({ ...claude, id: "bad", aliases: [], binary: { script }, ...changes });
  return withSpawn(provider, { stdout, ...spawn });
}
