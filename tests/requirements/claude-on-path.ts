import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import { openTestScope } from "../e2e/test-scope.ts";

/** What the program saw of its launch. */
export type Seen = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly parent: number;
  /** The lines of stdin up to the first one. */
  readonly line: string;
  readonly isTerminal: boolean;
  /** The file that `--mcp-config` names: its path, permission bits and content. */
  readonly mcpConfig?: { readonly path: string; readonly mode: number; readonly content: string };
};

/** A program named `claude`, first on the PATH of a client. */
export type InstalledClaude = {
  readonly client: Client;
  readonly directory: string;
  readonly path: string;
  /** Runs a request and gives what the program saw. */
  ask(request: RunRequest, target?: string | Target): Promise<Seen>;
};

/** Answers in Claude's language with nothing but what it was started with. */
const PROGRAM = `
const { readFileSync, statSync } = require("node:fs");
const argv = process.argv.slice(2);
const config = argv[argv.indexOf("--mcp-config") + 1];
const mcpConfig = argv.includes("--mcp-config")
  ? { path: config, mode: statSync(config).mode & 0o777, content: readFileSync(config, "utf8") }
  : undefined;
let line = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  line += text;
  if (!line.includes("\\n")) return;
  process.stdin.removeAllListeners("data").resume();
  const isTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY);
  const seen = JSON.stringify({ argv, env: process.env, parent: process.ppid, line, isTerminal, mcpConfig });
  process.stdout.write(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: seen }) + "\\n");
});
`;

/** Installs the program for one test; `env` is added to what the client inherits. */
export function installClaude(env: Readonly<Record<string, string>> = {}): InstalledClaude {
  const scope = openTestScope();
  const folder = join(scope.directory, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "program.cjs"), PROGRAM);
  const path = join(folder, "claude");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${join(folder, "program.cjs")}" "$@"\n`, { mode: 0o755 });
  const inherited = { ...scope.env, ...env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const client = createClient({ env: inherited });
  onTestFinished(() => client.close());
  return {
    client,
    directory: scope.directory,
    path,
    ask: async (request, target = "claude") => JSON.parse((await client.run(target, request).result()).text),
  };
}
