import { claude } from "../../src/clis/claude/provider.ts";
import { type Provider, type Transport, withoutNativeTools, withSpawn } from "../../src/spec/provider/provider.ts";

/** A provider with Claude's wire that runs a program of this folder; the variable STDOUT=file is for hosts. */
export function programProvider(program: string, changes: Partial<Provider> = {}, spawn: Partial<Transport> = {}): Provider {
  const script = new URL(`./programs/${program}.mjs`, import.meta.url);
  const stdout = process.env["STDOUT"] === "file" ? "file" : "pipe";
  const provider = withoutNativeTools({ ...claude, id: "bad", aliases: [], binary: { script }, ...changes });
  return withSpawn(provider, { stdout, ...spawn });
}
