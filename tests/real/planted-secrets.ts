import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import type { CliName } from "./clis/cli-row.ts";
import { plantedRequest } from "./planted-request.ts";
import { prepareRealCli, type RealCli } from "./real-cli.ts";
import { filesWith, readableByOthers } from "./search-files.ts";

/** How a run with planted secrets ends. */
export type PlantedEnding = "success" | "failure" | "abort" | "kill";

/** What may be nowhere. */
export type Found = {
  /** Files with the secret after the run. */
  readonly files: readonly string[];
  /** Entries of the temporary directories after the run. */
  readonly left: readonly string[];
  /** Files that other users could read during the run. */
  readonly readable: readonly string[];
  /** True if the failure shows a secret. */
  readonly shown: boolean;
};

export const NOTHING: Found = { files: [], left: [], readable: [], shown: false };

const HOST = join(import.meta.dirname, "hosts/holds-a-secret.ts");

const ANSWERS: Readonly<Record<PlantedEnding, FakeAnswer>> = {
  success: { kind: "text", text: "Done." },
  failure: { kind: "http-error", status: 400 },
  abort: { kind: "stall" },
  kill: { kind: "stall" },
};

/** Runs the real CLI with planted secrets to this end, and searches everything but the CLI's own home. */
export async function findPlanted(name: CliName, ending: PlantedEnding): Promise<Found> {
  const startedAt = Date.now();
  await using cli = await prepareRealCli(name);
  const temporary = mkdtempSync(join(tmpdir(), "planted-"));
  vi.stubEnv("TMPDIR", temporary);
  const secret = `planted-${randomUUID().slice(0, 13)}`;
  const root = dirname(cli.home);
  const readable: string[] = [];
  let sawRequest = (): void => {};
  const asked = new Promise<void>((resolve) => {
    sawRequest = resolve;
  });
  cli.api.answerWith(() => {
    readable.push(...[join(root, "state"), temporary].flatMap(readableByOthers));
    sawRequest();
    return ANSWERS[ending];
  });
  try {
    const shown = await (ending === "kill" ? killHost(cli, secret, asked) : endRun(cli, secret, ending, asked));
    const left = (): readonly string[] => [temporary, join(root, "tmp")].flatMap((path) => readdirSync(path));
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 5_000, interval: 50 }).catch(() => {});
    const places = [join(root, "state"), join(root, "tmp"), join(root, "log"), cli.workspace, temporary];
    const files = [...filesWith(secret, places), ...filesWith(secret, ["/tmp"], { startedAt, except: [root] })];
    return { files, left: left(), readable, shown };
  } finally {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function endRun(cli: RealCli, secret: string, ending: PlantedEnding, asked: Promise<void>): Promise<boolean> {
  mkdirSync(join(dirname(cli.home), "log"));
  const log = { file: join(dirname(cli.home), "log/runs.jsonl") };
  const client = createClient({ policies: false, env: cli.env, providers: [cli.provider], warm: false, log });
  const abort = new AbortController();
  const outcome = client.run(cli.row.target, plantedRequest(secret, cli.provider), { signal: abort.signal }).outcome();
  await Promise.race([asked, outcome.then(({ failure }) => Promise.reject(new Error(`not asked: ${failure?.message}`)))]);
  if (ending === "abort") abort.abort();
  const { failure } = await outcome;
  await client.close();
  expect(failure === undefined).toBe(ending === "success");
  return new RegExp(`${secret}-(?:env|mcp|header)`).test(JSON.stringify(failure ?? {}));
}

async function killHost(cli: RealCli, secret: string, asked: Promise<void>): Promise<boolean> {
  const host = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", HOST], {
    env: { ...cli.env, TMPDIR: process.env["TMPDIR"], HOST_CLI: cli.name, HOST_API: cli.api.url, HOST_SECRET: secret },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exit = once(host, "exit");
  await Promise.race([asked, exit.then(() => Promise.reject(new Error("the host ended before the CLI asked its model")))]);
  host.kill("SIGKILL");
  await exit;
  return false;
}
