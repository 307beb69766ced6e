import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedProcess } from "./machine.ts";

/** The prompt of a CLI that gets it on stdin, or as the command of the given name in the folder of its settings. */
export function promptOf({ home }: ScriptedProcess, input: string): string {
  const command = /^\/([\w-]+)\s*$/.exec(input)?.[1];
  if (command === undefined) return input;
  const folders = [join(home, ".gemini/commands"), join(home, ".qwen/commands"), join(home, "commands")];
  const files = folders.flatMap((folder) => [join(folder, `${command}.toml`), join(folder, `${command}.md`)]);
  const file = files.find((path) => existsSync(path));
  if (file === undefined) throw new Error(`the command ${command} is not below ${home}`);
  return readFileSync(file, "utf8");
}
