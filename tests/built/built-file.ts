import { join } from "node:path";
import { inject } from "vitest";

/** The built form of a script of this repository: `bin/cox.js`, `src/rehearsal/rehearsal-cli.ts`. */
export function builtFile(script: string): string {
  return join(inject("builtPackage"), script.replace(/^src\/(.*)\.ts$/, "dist/$1.js"));
}
