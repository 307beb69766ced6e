import { existsSync, readFileSync } from "node:fs";

const words = process.argv.slice(2);
let isUnwritten = false;
// A reader that leaves (`| head`) is no failure; an answer that nobody can read is one, whatever the command says.
process.stdout.on("error", (error) => {
  if (error.code === "EPIPE" || isUnwritten) return;
  isUnwritten = true;
  process.stderr.write(`cox could not write to stdout: ${error.message}\n`);
});
process.stderr.on("error", () => undefined);
process.on("exit", () => {
  if (isUnwritten) process.exitCode = 1;
});
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  const source = new URL("../src/cli/main.ts", import.meta.url);
  // Node does not strip types of files in node_modules, so an installed package runs what was built.
  const isBuilt = import.meta.url.includes("/node_modules/") || !existsSync(source);
  if (isBuilt) (await import("../dist/cli/keep-compiled.js")).keepCompiled();
  const { main } = await import(isBuilt ? "../dist/cli/main.js" : source.href);
  await main(words);
}
