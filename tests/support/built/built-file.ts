import { fileURLToPath } from "node:url";

// Programs start from here four times as fast as from the sources. Below node_modules, cox runs dist.
const builtPackage = new URL("../../../node_modules/.cache/coxswain-built/", import.meta.url);

/** Built programs keep their compiled code here: a start of `cox ask` takes a fifth less processor time. */
export const COMPILED: string = fileURLToPath(new URL("../coxswain-compiled/", builtPackage));

/** The built form of a script of this repository: `bin/cox.js`, `src/rehearsal/rehearsal-cli.ts`, `tests/e2e/hosts/one-answer.ts`. */
export function builtFile(script: string): string {
  const built = script.replace(/^(?:src\/)?(.*)\.ts$/, "dist/$1.js").replace(/(rehearsal-cli)\.js$/, "$1.cjs");
  return fileURLToPath(new URL(built, builtPackage));
}
