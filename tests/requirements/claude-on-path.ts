import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { openTestScope } from "../support/test-scope.ts";

/** A file as the program saw it. */
type SeenFile = { readonly path: string; readonly mode: number; readonly content: string };

/** What the program saw of its launch. */
export type Seen = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly parent: number;
  /** The input on stdin up to the first newline. */
  readonly line: string;
  readonly isTerminal: boolean;
  /** The files that arguments name, by flag. */
  readonly files: Readonly<Record<string, SeenFile | undefined>>;
};

/** A program named `claude`, first on the PATH of a client. */
export type InstalledClaude = {
  readonly client: Client;
  readonly directory: string;
  readonly path: string;
  /** Runs a request and returns what the program saw. */
  ask(request: RunRequest, target?: string | Target): Promise<Seen>;
};

/** Answers in Claude's format with a JSON description of its own launch. */
const PROGRAM = `
const { readFileSync, statSync } = require("node:fs");
const argv = process.argv.slice(2);
const files = {};
for (const flag of ["--mcp-config", "--system-prompt-file", "--append-system-prompt-file"]) {
  if (!argv.includes(flag)) continue;
  const path = argv[argv.indexOf(flag) + 1];
  files[flag] = { path, mode: statSync(path).mode & 0o777, content: readFileSync(path, "utf8") };
}
let line = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  line += text;
  if (!line.includes("\\n")) return;
  process.stdin.removeAllListeners("data").resume();
  const isTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY);
  const seen = JSON.stringify({ argv, env: process.env, parent: process.ppid, line, isTerminal, files });
  process.stdout.write(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: seen }) + "\\n");
});
`;

/** Installs the program for one test; `env` is added to the inherited environment of the client. */
export function installClaude(env: Readonly<Record<string, string>> = {}): InstalledClaude {
  const scope = openTestScope();
  const folder = join(scope.directory, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "program.cjs"), PROGRAM);
  const path = writeProgram(join(folder, "claude"), `exec "${process.execPath}" "${join(folder, "program.cjs")}" "$@"`);
  const inherited = { ...scope.env, ...env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const client = createClient({ policies: false, env: inherited });
  onTestFinished(() => client.close());
  return {
    client,
    directory: scope.directory,
    path,
    ask: async (request, target = "claude") => JSON.parse((await client.run(target, request).result()).text),
  };
}
