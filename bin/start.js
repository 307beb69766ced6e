import { existsSync, readFileSync } from "node:fs";

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  const source = new URL("../src/cli/main.ts", import.meta.url);
  // Node does not strip types of files in node_modules, so an installed package runs what was built.
  const isBuilt = import.meta.url.includes("/node_modules/") || !existsSync(source);
  const { main } = await import(isBuilt ? "../dist/cli/main.js" : source.href);
  await main(words);
}
