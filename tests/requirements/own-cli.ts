import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ConfigFile, readConfigFile } from "../../src/config/read-config-file.ts";
import { type Client, createClient } from "../../src/index.ts";
import { type Recording, replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { Provider } from "../../src/spec/provider/provider.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import type { OutputFormat } from "../../src/spec/wire/wire.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { openTestScope } from "../support/test-scope.ts";

/** Reads a configuration file with these entries; each gets a default id and command. */
export function readEntries(...entries: readonly JsonObject[]): ConfigFile {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-own-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const providers = entries.map((entry) => ({ providerId: "own", command: "own-cli", ...entry }));
  const path = join(folder, "coxswain.config.json");
  writeFileSync(path, JSON.stringify({ providers }));
  return readConfigFile(path);
}

/** The provider of a valid entry. */
export function ownProvider(entry: JsonObject = {}): Provider {
  const { providers, mistakes } = readEntries(entry);
  const [provider] = providers;
  if (provider === undefined) throw new Error(JSON.stringify(mistakes));
  return provider;
}

/** The result of a CLI with this output format that printed this and ended with exit code 0. */
export function readOutput(
  format: OutputFormat,
  stdout: string | Uint8Array,
  about: Partial<Recording> & { entry?: JsonObject } = {},
): RunResult {
  return collect(readEvents(format, stdout, about));
}

/** The events of the same output. */
export function readEvents(
  format: OutputFormat,
  stdout: string | Uint8Array,
  { entry = {}, ...about }: Partial<Recording> & { entry?: JsonObject } = {},
): readonly RunEvent[] {
  const provider = ownProvider({ outputFormat: format, ...entry });
  const bytes = typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout;
  return replayRecording(provider, { format, exitCode: 0, ...about, stdout: bytes })[0] ?? [];
}

/** Objects as lines of a stream. */
export function toStream(...lines: readonly (JsonObject | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

/** A client whose configuration file names a real program. */
export type OwnCli = { readonly client: Client; readonly folder: string; readonly config: string };

/** Writes a shell script and a configuration file for it, and opens a client; both files are removed after the test. */
export function openOwnCli(script: string, entry: JsonObject = {}, env: Readonly<Record<string, string>> = {}): OwnCli {
  const scope = openTestScope();
  writeProgram(join(scope.directory, "own-cli"), script);
  const config = join(scope.directory, "coxswain.config.json");
  writeFileSync(config, JSON.stringify({ providers: [{ providerId: "own", command: "./own-cli", ...entry }] }));
  const client = createClient({ policies: false, config, env: { ...scope.env, ...env } });
  onTestFinished(() => client.close());
  return { client, folder: scope.directory, config };
}
