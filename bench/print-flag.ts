// node bench/print-flag.ts [--runs 15]: Claude Code with and without `-p`, in turn: the time and the CPU time until the first text, and
// whether both send and print the same (docs/decisions/0025-claude-print-flag.md).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { atVersion } from "../src/launch/find-cli.ts";
import { planLaunch } from "../src/launch/prepare.ts";
import { findBinary } from "../src/process/child/find-program.ts";
import { prepareRealCli, REAL_CLIS } from "../tests/support/real-clis/real-cli.ts";
import { median } from "./measure.ts";
import { cpuMsOf } from "./rivals/processes.ts";
import { type Launch, resolveLaunch } from "./warm/resolve-launch.ts";

/** One way to start the CLI. */
type Arm = { readonly launch: Launch; readonly samples: Sample[]; readonly sent: Set<string> };

/** One process: until its first text, what it printed and how it ended. */
type Sample = {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: string;
};

const { values } = parseArgs({ options: { runs: { type: "string", default: "15" } } });
const rounds = Number(values.runs);
const REQUEST = { prompt: "Why is the sky blue?", system: "You answer in one sentence." };
/** What differs between two runs of the same command line. */
const CHANGING =
  /[0-9a-f]{8}-[0-9a-f-]{27}|msg_\w+|req_\w+|"(?:duration|ttft|time|first_content)\w*":[\d.]+|\d+\.sock|\d{13}|cch=\w+|20\d\d-\d\d-\d\dT[\d:.]+Z/g;

for (const [version, folder] of Object.entries({ "2.1.325": REAL_CLIS, "2.1.197": join(REAL_CLIS, "oldest") }))
  await compare(version, folder);

async function compare(version: string, folder: string): Promise<void> {
  const cli = await prepareRealCli("claude", undefined, folder);
  const found = findBinary(cli.provider.binary, cli.env);
  if (!("command" in found)) throw new Error(`claude ${version} is not installed`);
  const provider = atVersion(cli.provider, version);
  const plan = planLaunch(provider, { provider: "claude" }, REQUEST, { ...found, answersPermissions: false, env: cli.env });
  const { launch, remove } = await resolveLaunch(plan, cli.env);
  const plain = { ...launch, args: launch.args.filter((argument) => argument !== "-p") };
  const arms: readonly Arm[] = [launch, launch, plain].map((each) => ({ launch: each, samples: [], sent: new Set() }));
  for (let round = -2; round < rounds; round += 1)
    for (let turn = 0; turn < arms.length; turn += 1) {
      const arm = arms[(turn + round + 2) % arms.length] as Arm;
      const before = cli.api.modelRequests.length;
      const sample = await runOnce(arm.launch, plan.stdin.text);
      for (const { rawBody } of cli.api.modelRequests.slice(before)) arm.sent.add(normal(rawBody));
      if (round >= 0) arm.samples.push(sample);
    }
  const unknown = [launch, plain].map((each) => runOnce({ ...each, args: [...each.args, "--no-such-option"] }, ""));
  report(version, arms, await Promise.all(unknown));
  remove();
  await cli[Symbol.asyncDispose]();
}

async function runOnce({ command, args, env, cwd }: Launch, input: string): Promise<Sample> {
  const began = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr, wallMs, cpuMs] = ["", "", Number.NaN, Number.NaN];
  child.stdin.on("error", () => {}).write(input);
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    if (Number.isNaN(wallMs) && stdout.includes('"text_delta"'))
      [wallMs, cpuMs] = [performance.now() - began, cpuMsOf(child.pid ?? 0)];
    if (stdout.includes('"type":"result"')) child.stdin.end();
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return { wallMs, cpuMs, stdout: normal(stdout), stderr, exit: String(signal ?? code) };
}

function normal(text: string): string {
  return text.replaceAll(CHANGING, "*");
}

/** The lines of the first texts that are in none of the second. */
function only(left: ReadonlySet<string>, right: ReadonlySet<string>): readonly string[] {
  const known = new Set([...right].flatMap((text) => text.split("\n")));
  return [...new Set([...left].flatMap((text) => text.split("\n")))].filter((line) => !known.has(line));
}

function report(version: string, [flagged, control, plain]: readonly Arm[], unknown: readonly Sample[]): void {
  if (flagged === undefined || control === undefined || plain === undefined) return;
  const each = (name: "stdout" | "stderr" | "exit"): string =>
    same(
      name,
      flagged.samples.map((sample) => sample[name]),
      plain.samples.map((sample) => sample[name]),
    );
  const [left = "", right = ""] = unknown.map(({ stdout, stderr, exit }) => `${exit} ${stdout}${stderr}`);
  const lines = [
    ...(["wallMs", "cpuMs"] as const).flatMap((name) => [
      `${name}: with -p ${summary(flagged.samples, name)}, again ${summary(control.samples, name)}, without ${summary(plain.samples, name)}`,
      `  without against with -p ${ratios(plain, flagged, name)}, with -p against itself ${ratios(control, flagged, name)}`,
    ]),
    same("sent upstream", flagged.sent, plain.sent),
    ...(["stdout", "stderr", "exit"] as const).map(each),
    same("unknown option", [left], [right]),
  ];
  process.stdout.write(`claude ${version}, ${flagged.samples.length} rounds\n${lines.join("\n")}\n`);
}

function summary(samples: readonly Sample[], name: "wallMs" | "cpuMs"): string {
  const values = samples.map((sample) => sample[name]);
  return `${median(values).toFixed(0)} (least ${Math.min(...values).toFixed(0)})`;
}

/** The median of the ratios of all rounds, and how many of them are below 1. */
function ratios(left: Arm, right: Arm, name: "wallMs" | "cpuMs"): string {
  const list = left.samples.map((sample, round) => sample[name] / (right.samples[round]?.[name] ?? Number.NaN));
  return `${median(list).toFixed(3)} (${list.filter((ratio) => ratio < 1).length} of ${list.length} below 1)`;
}

function same(what: string, left: Iterable<string>, right: Iterable<string>): string {
  const [one, two] = [new Set(left), new Set(right)];
  if (one.size === two.size && [...one].every((text) => two.has(text))) return `${what}: the same`;
  const shown = [...only(one, two), ...only(two, one)].map((text) => `\n  ${text.slice(0, 2000)}`);
  return `${what}: ${one.size} kinds with -p, ${two.size} without${shown.join("")}`;
}
