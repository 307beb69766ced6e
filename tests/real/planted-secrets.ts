import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { agentTargetOf } from "../support/real-clis/agent-request.ts";
import { prepareRealCli, type RealCli } from "../support/real-clis/real-cli.ts";
import type { CliName } from "../support/real-clis/rows/cli-row.ts";
import { answersBefore, type Planted, type PlantedWay, plantedRequest } from "./planted-request.ts";
import { filesWith, readableByOthers } from "./search-files.ts";

/** How a run with planted secrets ends. */
export type PlantedEnding = "success" | "failure" | "abort" | "kill";

/** What may be nowhere. */
export type Found = {
  /** Files with the secret after the run. */
  readonly files: readonly string[];
  /** Entries of the temporary directories after the run, and new ones of the CLIs in the shared one. */
  readonly left: readonly string[];
  /** Files that other users could read during the run. */
  readonly readable: readonly string[];
  /** Files of the CLI's own home, where it keeps its sessions, with a secret that is no text of the conversation. */
  readonly kept: readonly string[];
  /** True if what the host is told shows such a secret: the answer, the failure, warnings or events. */
  readonly shown: boolean;
};

export const NOTHING: Found = { files: [], left: [], readable: [], kept: [], shown: false };

const HOST = join(import.meta.dirname, "hosts/holds-a-secret.ts");

const ANSWERS: Readonly<Record<PlantedEnding, FakeAnswer>> = {
  success: { kind: "text", text: "Done." },
  failure: { kind: "http-error", status: 400 },
  abort: { kind: "stall" },
  kill: { kind: "stall" },
};

/** Runs the real CLI with planted secrets to this end, and searches everywhere; its own home may have the text of the conversation. */
export async function findPlanted(name: CliName, ending: PlantedEnding, way: PlantedWay = "completion"): Promise<Found> {
  const startedAt = Date.now();
  await using cli = await prepareRealCli(name);
  const temporary = mkdtempSync(join(tmpdir(), "planted-"));
  vi.stubEnv("TMPDIR", temporary);
  const secret = `planted-${randomUUID().slice(0, 13)}`;
  const planted = { secret, way, workspace: cli.workspace };
  const root = dirname(cli.home);
  const readable: string[] = [];
  let sawRequest = (): void => {};
  const asked = new Promise<void>((resolve) => {
    sawRequest = resolve;
  });
  cli.api.answerWith((_, index) => {
    readable.push(...[join(root, "state"), temporary].flatMap(readableByOthers));
    if (index < answersBefore(way)) return ANSWERS.success;
    sawRequest();
    return ANSWERS[ending];
  });
  try {
    const shown = await (ending === "kill" ? killHost(cli, planted, asked) : endRun(cli, planted, ending, asked));
    const left = (): readonly string[] => [
      ...[temporary, join(root, "tmp")].flatMap((path) => readdirSync(path)),
      ...newInShared(startedAt),
    ];
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 5_000, interval: 50 }).catch(() => {});
    const places = [join(root, "state"), join(root, "tmp"), join(root, "log"), cli.workspace, temporary];
    const files = [...filesWith(secret, places), ...filesWith(secret, [SHARED], { startedAt, except: [root] })];
    const kept = FIXED.flatMap((part) => filesWith(`${secret}-${part}`, [cli.home]));
    return { files, left: left(), readable, kept, shown };
  } finally {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Claude Code and others take this directory whatever TMPDIR says. */
const SHARED = "/tmp";
const LEFT_IN_SHARED = /^(?:claude-\d+|cc-socks|opencode.*|node-compile-cache|gemini.*|qwen.*|copilot.*|codex.*|grok.*)$/;

function newInShared(startedAt: number): readonly string[] {
  const names = readdirSync(SHARED).filter((name) => LEFT_IN_SHARED.test(name));
  return names.filter((name) => (statSync(join(SHARED, name), { throwIfNoEntry: false })?.birthtimeMs ?? 0) > startedAt);
}

/** The secrets that belong to the surroundings of a run. */
const FIXED = ["env", "mcp", "header"] as const;

async function endRun(cli: RealCli, planted: Planted, ending: PlantedEnding, asked: Promise<void>): Promise<boolean> {
  mkdirSync(join(dirname(cli.home), "log"));
  const log = { file: join(dirname(cli.home), "log/runs.jsonl") };
  const client = createClient({
    policies: false,
    env: cli.env,
    providers: [cli.provider],
    ...(planted.way !== "warm" && { warm: false }),
    log,
  });
  const abort = new AbortController();
  const target = planted.way === "agent" ? agentTargetOf(cli.name) : cli.row.target;
  const request = plantedRequest(planted, cli.provider);
  if (planted.way === "warm") await warmUp(client, target, request);
  const outcome = client.run(target, request, { signal: abort.signal, keepEvents: true }).outcome();
  await Promise.race([asked, outcome.then(({ failure }) => Promise.reject(new Error(`not asked: ${failure?.message}`)))]);
  if (ending === "abort") abort.abort();
  const result = await outcome;
  await client.close();
  expect(result.failure === undefined).toBe(ending === "success");
  return FIXED.some((part) => JSON.stringify(result).includes(`${planted.secret}-${part}`));
}

async function warmUp(client: Client, target: string, request: RunRequest): Promise<void> {
  for (let answers = 0; answers < answersBefore("warm"); answers += 1) await client.run(target, request).result();
  await vi.waitFor(() => expect(client.warmProcesses()).not.toEqual([]), { timeout: 10_000 });
}

async function killHost(cli: RealCli, { secret, way, workspace }: Planted, asked: Promise<void>): Promise<boolean> {
  const about = { HOST_CLI: cli.name, HOST_API: cli.api.url, HOST_SECRET: secret };
  const words = { ...about, HOST_WAY: way, HOST_WORKSPACE: workspace };
  const host = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", HOST], {
    env: { ...cli.env, TMPDIR: process.env["TMPDIR"], ...words },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exit = once(host, "exit");
  await Promise.race([asked, exit.then(() => Promise.reject(new Error("the host ended before the CLI asked its model")))]);
  host.kill("SIGKILL");
  await exit;
  return false;
}
