import { readFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { serve } from "./serve.ts";

const read = readArguments(process.argv.slice(2));
if (read.kind === "error") {
  printError(read.message);
} else if (read.kind === "version") {
  process.stdout.write(`rehearsal ${packageVersion()}\n`);
} else if (read.options.schema !== undefined && !isJson(read.options.schema)) {
  printError("Error: --json-schema is not valid JSON");
} else {
  serve(read.options, packageVersion());
}

function printError(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
