// npm run bench: what Coxswain costs, as ratios within one run; exits 1 when a limit is passed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureAgentStep } from "./agent.ts";
import { measureAiSdk } from "./ai-sdk.ts";
import { runBare } from "./bare.ts";
import { built } from "./built.ts";
import { measureDoctor } from "./doctor.ts";
import { measureGateway } from "./gateway.ts";
import { measureGatewayStreams } from "./gateway-stream.ts";
import { measureGuardian } from "./guardian.ts";
import { claudeProvider, instantProvider } from "./instant-provider.ts";
import { type Limit, renderLimit, rowAtLeast, rowAtMost } from "./limits.ts";
import { measureMarkdown } from "./markdown.ts";
import { interleave, median, pairedRatio } from "./measure.ts";
import { measurePolicies } from "./policies.ts";
import { readWithClient } from "./read-with-client.ts";
import { writeStreamFile } from "./stream-file.ts";
import { measureThreads } from "./thread.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "coxswain-bench-"));
const rows: Limit[] = [];

function atMost(what: string, value: number, limit: number, unit: string): void {
  rows.push(rowAtMost(what, value, limit, unit));
}

function atLeast(what: string, value: number, limit: number): void {
  rows.push(rowAtLeast(what, value, limit, "x"));
}

async function benchCall(): Promise<void> {
  const recorded = path("../fixtures/claude/partial-text/stdout");
  const client = built.createClient({ providers: [instantProvider("instant", recorded)] });
  const medians = await interleave(400, {
    bare: () => runBare("/bin/cat", [recorded]),
    coxswain: () => client.run("instant", { prompt: "hello" }).result(),
  });
  await client.close();
  const { bare, coxswain } = medians;
  if (bare === undefined || coxswain === undefined) throw new Error("nothing was measured");
  process.stdout.write(
    `one call: bare ${bare.wallMs.toFixed(2)} ms, CPU ${bare.cpuMs.toFixed(2)} ms; coxswain ${coxswain.wallMs.toFixed(2)} ms, CPU ${coxswain.cpuMs.toFixed(2)} ms\n`,
  );
  atMost("one call, wall, against a bare spawn + JSON.parse", coxswain.wallMs / bare.wallMs, 1.2, "x");
  atMost("one call, host CPU, against a bare spawn + JSON.parse", coxswain.cpuMs / bare.cpuMs, 1.3, "x");
}

/** The speed of a warm process is measured in pairs, so that load hits both; a fresh process reads one stream. */
async function benchStream(): Promise<void> {
  const file = join(folder, "stream.jsonl");
  writeStreamFile(file, 50);
  for (const how of ["events", "result"] as const) {
    const speed = await pairedRatio(12, () => runBare("/bin/cat", [file]), readWithClient(file, how));
    atLeast(`50 MB stream-json, ${how}, speed against a bare loop`, speed, 0.9);
  }
  const fresh = readInFreshProcesses(file, 15);
  for (const how of ["events", "result"] as const) {
    atLeast(`50 MB stream-json, ${how}, speed against a bare loop, fresh process`, fresh.bare.ms / fresh[how].ms, 0.75);
    atMost(`50 MB stream-json, ${how}, memory above the bare host`, fresh[how].mb - fresh.bare.mb, 60, " MB");
  }
}

type Reading = { readonly mb: number; readonly ms: number };

/** The medians of reading one stream in a process of its own, in turn for each way. */
function readInFreshProcesses(file: string, rounds: number): Readonly<Record<"bare" | "events" | "result", Reading>> {
  const read = (how: string): Reading =>
    JSON.parse(execFileSync(process.execPath, [path("stream-host.ts"), how, file], { encoding: "utf8" })) as Reading;
  const readings = Array.from({ length: rounds }, () => ({ bare: read("bare"), events: read("events"), result: read("result") }));
  const medianOf = (how: "bare" | "events" | "result"): Reading => ({
    mb: median(readings.map((each) => each[how].mb)),
    ms: median(readings.map((each) => each[how].ms)),
  });
  return { bare: medianOf("bare"), events: medianOf("events"), result: medianOf("result") };
}

async function benchTerminalEvent(): Promise<void> {
  const provider = {
    ...claudeProvider(),
    id: "lingering",
    aliases: [],
    binary: { script: new URL("lingering-cli.mjs", import.meta.url) },
  };
  const client = built.createClient({ providers: [provider] });
  const delays: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { text } = await client.run("lingering", { prompt: "hello" }).result();
    delays.push(Number(process.hrtime.bigint() - BigInt(text)) / 1e6);
  }
  await client.close();
  atMost("terminal event to result with a lingering CLI", median(delays), 10, " ms");
}

async function benchVersion(): Promise<void> {
  const start = (args: readonly string[]) => async () => execFileSync(process.execPath, args);
  const medians = await interleave(20, { node: start(["-e", "0"]), cox: start([path("../bin/cox.js"), "--version"]) });
  atMost(
    "cox --version against node -e 0",
    (medians["cox"]?.wallMs ?? Number.NaN) / (medians["node"]?.wallMs ?? Number.NaN),
    2.5,
    "x",
  );
}

await benchCall();
await benchStream();
await benchTerminalEvent();
await benchVersion();
const guardian = await measureGuardian(path("../fixtures/claude/partial-text/stdout"));
atMost("guardian after 40 runs, its own memory against a Node process that waits", guardian.private, 1.5, "x");
atMost("guardian after 40 runs, all of its memory against a Node process that waits", guardian.resident, 1.15, "x");
const policies = await measurePolicies(path("../fixtures/claude/partial-text/stdout"));
atMost("policies by default, host CPU added to a call that succeeds", policies.byDefault, 0.1, " ms");
atMost("all policies, three targets and a budget, host CPU added to a call that succeeds", policies.all, 0.2, " ms");
for (const [name, ratio] of Object.entries(await measureThreads()))
  atMost(`${name}: a message among 10,000 against one among 1,000`, ratio, 1.5, "x");
for (const [kind, ratio] of Object.entries(await measureMarkdown()))
  atMost(`a character of Markdown with ${kind}, in a line of 3,800 against one of 380`, ratio, 1.5, "x");
atMost("cox doctor against the slowest --version and a second", await measureDoctor(), 1, "x");
atMost("one step of an agent with a tool call, above the call of the model", await measureAgentStep(), 1, " ms");
const gateway = await measureGateway(path("../fixtures/claude/partial-text/stdout"));
atMost("gateway, first byte of a stream after the library's first text, cold", gateway.cold, 3, " ms");
atMost("gateway, first byte of a stream after the library's first text, warm", gateway.warm, 3, " ms");
for (const [api, ratio] of Object.entries(await measureGatewayStreams(folder)))
  atMost(`gateway, 50 MB of Codex's messages as ${api}, CPU with its reader against reading the run`, ratio, 2.6, "x");
const { sameParts, eachDelta, messages } = await measureAiSdk(folder);
atMost("AI SDK, 50 MB of deltas, CPU against reading the run and a model that emits the same parts", sameParts, 1.1, "x");
atMost("AI SDK, 50 MB of deltas, CPU against reading the run and a model that emits each delta", eachDelta, 1.1, "x");
atMost(
  "AI SDK, 50 MB of Codex's messages, CPU against reading the run and a model that emits the same parts",
  messages,
  1.1,
  "x",
);
rmSync(folder, { recursive: true });
writeFileSync(1, rows.map(renderLimit).join(""));
process.exitCode = rows.every((row) => row.ok) ? 0 : 1;
