import { claude } from "../../src/clis/claude/provider.ts";
import type { Provider } from "../../src/spec/provider.ts";

/** A provider that speaks Claude's language and runs a program of this folder; STDOUT=file in the environment is for hosts. */
export function programProvider(program: string, changes: Partial<Provider> = {}): Provider {
  const script = new URL(`./programs/${program}.mjs`, import.meta.url);
  const stdout = process.env["STDOUT"] === "file" ? "file" : "pipe";
  return { ...claude, id: "bad", aliases: [], binary: { script }, stdout, ...changes };
}
