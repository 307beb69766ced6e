import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "../../src/index.ts";
import { findBinary } from "../../src/process/child/find-program.ts";
import { RunError } from "../../src/spec/failure/run-error.ts";
import { type Provider, withSpawn } from "../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import { type FakeApiRequest, findRunProcesses } from "../../src/testing/index.ts";
import { readModelRequest } from "../../tests/support/real-clis/model-request.ts";
import { prepareRealCli, providerAt, type RealCli } from "../../tests/support/real-clis/real-cli.ts";
import type { CliName } from "../../tests/support/real-clis/rows/index.ts";
import { blindToTools } from "./blind-to-tools.ts";
import { fieldPaths } from "./field-paths.ts";
import type { Observation, Outcome, Probe, ProbeRun, RequestObservation, RunObservation } from "./probe.ts";

const RECORDER = new URL("./recorder.ts", import.meta.url);
/** Longer than all runs except the silent retries of some CLIs, whose first minute suffices. */
const PATIENCE_MS = 60_000;
const TOOL_RUNS_AFTER_MS = 1_500;
const LEAVE_MS = 2_500;

/**
 * Runs a probe with the CLI that is installed in a folder and returns the observation. If the product ended a run because of the
 * tools that the CLI offers, that is a warning, and the rest is observed without that check.
 */
export async function runProbe(name: CliName, folder: string, probe: Probe): Promise<Observation> {
  const seen = await tryProbe(name, folder, probe, recorded);
  const breach = seen.runs.find(({ outcome }) => outcome.failure === "own-tools-active")?.outcome.message;
  if (breach === undefined) return seen;
  const { runs, ...rest } = await tryProbe(name, folder, probe, (provider) => blindToTools(recorded(provider)));
  const warn = (outcome: Outcome): Outcome => ({ ...outcome, warnings: [...outcome.warnings, `own-tools-active: ${breach}`] });
  return { ...rest, runs: runs.map((run) => ({ ...run, outcome: warn(run.outcome) })) };
}

/** How the provider of a CLI is changed for a probe. */
type Changing = (provider: Provider) => Provider;

async function tryProbe(name: CliName, folder: string, probe: Probe, change: Changing): Promise<Observation> {
  const cli = await prepareRealCli(name, probe.answers, folder);
  try {
    return await observeProbe({ ...cli, provider: change(cli.provider) }, probe);
  } finally {
    await cli[Symbol.asyncDispose]();
  }
}

async function observeProbe(cli: RealCli, probe: Probe): Promise<Observation> {
  const root = dirname(cli.home);
  probe.prepare?.(cli);
  if (probe.isUnreachable === true) await cli.api.close();
  const before = new Set(listFiles(root));
  const [runs, runIds]: [RunObservation[], string[]] = [[], []];
  let last: RunResult | undefined;
  for (const [index, run] of probe.runs.entries()) {
    const place = join(root, "drift", String(index));
    mkdirSync(place, { recursive: true });
    const observed = await observeRun(cli, run, last, place);
    last = observed.result;
    runs.push(observed.observation);
    runIds.push(observed.runId);
  }
  const processesLeft = runIds.flatMap(findRunProcesses).length;
  const filesLeft = listFiles(root).filter((path) => !before.has(path) && !path.startsWith("drift/"));
  return { probe: probe.name, runs, requests: cli.api.modelRequests.map(toRequest), processesLeft, filesLeft, root };
}

type ObservedRun = { readonly observation: RunObservation; readonly result: RunResult; readonly runId: string };

/** The product runs the CLI with its own launch; the recorder replaces the program. */
async function observeRun(cli: RealCli, run: ProbeRun, last: RunResult | undefined, place: string): Promise<ObservedRun> {
  const found = findBinary(providerAt(cli.name, cli.api.url).binary, cli.env);
  if ("missing" in found) throw new Error(`${cli.name} is not installed: ${found.looked}`);
  const env = { ...cli.env, DRIFT_COMMAND: found.command, DRIFT_FOLDER: place };
  const client = createClient({ policies: false, env, providers: [cli.provider] });
  const request: RunRequest = { timeouts: { totalMs: PATIENCE_MS }, ...run.request(cli, last) };
  const target = request.mode === "agent" ? (cli.row.agentTarget ?? cli.row.target) : cli.row.target;
  const planned = client.plan(target, request);
  const startedAt = performance.now();
  try {
    const { runId, outcome, result } = await follow(client, target, request, run.isAborted === true);
    const durationMs = Math.round(performance.now() - startedAt);
    await delay(LEAVE_MS);
    const plannedEnv = "plan" in planned ? planned.plan.env : {};
    return { observation: { ...readPlace(place), durationMs, env: plannedEnv, outcome }, result, runId };
  } finally {
    await client.close();
  }
}

type Followed = { readonly runId: string; readonly outcome: Outcome; readonly result: RunResult };

async function follow(client: Client, target: string, request: RunRequest, isAborted: boolean): Promise<Followed> {
  const abort = new AbortController();
  const stream = client.run(target, request, { signal: abort.signal });
  let runId = "";
  for await (const event of stream) {
    if (event.type === "run-start") runId = event.runId;
    if (event.type === "tool-call" && isAborted) setTimeout(() => abort.abort(), TOOL_RUNS_AFTER_MS);
  }
  return stream.result().then(
    (result) => ({ runId, outcome: toOutcome(result), result }),
    (error: unknown) => {
      if (!RunError.is(error)) throw error;
      return { runId, outcome: toOutcome(error.result, error.failure), result: error.result };
    },
  );
}

/** The probes include a prompt longer than the provider allows, and an unknown version. */
function recorded(provider: Provider): Provider {
  const { versionsChecked: _, changes: __, ...rest } = provider;
  return withSpawn({ ...rest, binary: { script: RECORDER } }, { limits: { promptBytes: Number.MAX_SAFE_INTEGER } });
}

function readPlace(place: string): Omit<RunObservation, "env" | "outcome" | "durationMs"> {
  const read = (name: string): string => (existsSync(join(place, name)) ? readFileSync(join(place, name), "utf8") : "");
  const exit = { exitCode: null, signal: null, ...(JSON.parse(read("exit.json") || "{}") as object) };
  const argv = JSON.parse(read("argv.json") || "[]") as readonly string[];
  return { argv, stdin: read("stdin"), stdout: read("stdout"), stderr: read("stderr"), ...exit };
}

function toOutcome(result: RunResult, failure?: RunError["failure"]): Outcome {
  return {
    finish: result.finish,
    failure: failure?.code ?? null,
    message: failure?.message ?? "",
    text: (failure === undefined ? result.text : (failure.partialText ?? "")).slice(0, 200),
    toolCalls: result.toolCalls.map(
      ({ name, isError, output }) => `${name}${isError ? " failed" : ""}: ${JSON.stringify(output)?.slice(0, 120)}`,
    ),
    warnings: result.warnings.map(({ code, message }) => `${code}: ${message.slice(0, 120)}`),
  };
}

function toRequest(request: FakeApiRequest): RequestObservation {
  const { body, system, user, tools } = readModelRequest(request);
  const messages = [body["messages"], body["input"], body["contents"]].find(Array.isArray) ?? [];
  return {
    bytes: Buffer.byteLength(request.rawBody),
    fields: fieldPaths(body).filter((path) => !/^(?:tools|messages|input|contents)\b/.test(path)),
    tools,
    roles: messages.map((message) =>
      typeof message === "object" && message !== null && "role" in message ? String(message.role) : "?",
    ),
    texts: [...system, ...user].map((text) => text.slice(0, 2_000)),
  };
}

function listFiles(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
