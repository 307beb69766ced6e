import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Provider } from "../../src/spec/provider.ts";

/** Puts a package.json beside a program that stands for a CLI, so that nobody has to start it for its version: the newest proven by default. */
export function writeManifest(folder: string, command: string, { versionsChecked }: Provider, version?: string): void {
  const manifest = { name: command, version: version ?? versionsChecked?.newest, bin: { [command]: command } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
}
