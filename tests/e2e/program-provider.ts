import { claude } from "../../src/clis/claude/provider.ts";
import type { Provider } from "../../src/spec/provider.ts";

/** A provider with Claude's dialect that runs a program of this folder; the variable STDOUT=file is for hosts. */
export function programProvider(program: string, changes: Partial<Provider> = {}): Provider {
  const script = new URL(`./programs/${program}.mjs`, import.meta.url);
  const stdout = process.env["STDOUT"] === "file" ? "file" : "pipe";
  return { ...claude, id: "bad", aliases: [], binary: { script }, stdout, ...changes };
}
