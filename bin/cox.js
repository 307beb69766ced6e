#!/usr/bin/env node
// Old versions of Node must get as far as the check, so everything newer than ES2015 stays behind the import.
import { existsSync, readFileSync } from "node:fs";
import { unsupportedNodeMessage } from "./node-version.js";

const problem = unsupportedNodeMessage(process.versions.node);
const words = process.argv.slice(2);
if (problem !== undefined) {
  process.stderr.write(problem + "\n");
  process.exitCode = 1;
} else if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version + "\n");
} else {
  const source = new URL("../src/cli/main.ts", import.meta.url);
  // Node does not strip types of files in node_modules, so an installed package runs what was built.
  const isInstalled = import.meta.url.includes("/node_modules/") || !existsSync(source);
  import(isInstalled ? "../dist/cli/main.js" : source.href).then((cli) => cli.main(words));
}
