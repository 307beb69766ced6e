import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { atVersion } from "../../src/launch/find-cli.ts";
import { planLaunch } from "../../src/launch/prepare.ts";
import { findBinary } from "../../src/process/child/find-program.ts";
import type { ResidentTransport } from "../../src/spec/provider/provider.ts";
import { type CliName, prepareRealCli, type RealCli } from "../../tests/support/real-clis/real-cli.ts";
import { MODELS } from "../rivals/arena.ts";
import { QUESTION, settingsOf } from "../rivals/contest.ts";
import { BUILD_COPY } from "../rivals/copy-build.ts";
import { type Host, startHost } from "../rivals/host-process.ts";
import { RIVALS_FOLDER } from "../rivals/install.ts";
import { ANSWER } from "../rivals/measure-calls.ts";
import { type Launch, resolveLaunch } from "./resolve-launch.ts";

/** A real CLI with an API that answers at once, and the programs that call it. */
export type Stage = {
  readonly cli: RealCli;
  readonly resident: ResidentTransport;
  /** How a caller asks for a warm process: with the default, unless the transport is used only if it is named. */
  readonly warmly: { readonly transport: "auto" | "resident" };
  /** Whether a process that waits takes any system prompt. */
  readonly takesAnySystem: boolean;
  /** The settings that Coxswain's own hosts share. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Starts a host with Coxswain. */
  startCoxswain(options?: object): Promise<Host>;
  /** Starts a host without Coxswain; its environment is the one that Coxswain gives the CLI. */
  startOther(contestant: string): Promise<Host>;
  close(): Promise<void>;
};

/** Prepares a CLI, unless it has no resident transport; starts only the fake API. */
export async function openStage(name: CliName): Promise<Stage | undefined> {
  const cli = await prepareRealCli(name, { kind: "text", text: ANSWER, deltas: 14 });
  const { resident } = cli.provider.transports;
  if (resident === undefined) {
    await cli[Symbol.asyncDispose]();
    return undefined;
  }
  const model = name === "claude" || name === "codex" ? MODELS[name] : undefined;
  const { launch, remove, codexSettings } = await planOther(cli, resident, model);
  const settings = {
    ...{ cli: name, apiUrl: cli.api.url, ...(model !== undefined && { model }) },
    dist: pathToFileURL(join(BUILD_COPY, "index.js")).href,
  };
  const others = {
    ...{ ...settings, system: QUESTION.system, workspace: cli.workspace, command: launch.command, launch, codexSettings },
    load: pathToFileURL(join(RIVALS_FOLDER, "load.mjs")).href,
  };
  return {
    ...{ cli, resident, settings },
    warmly: { transport: "onlyIfAsked" in resident && resident.onlyIfAsked !== undefined ? "resident" : "auto" },
    takesAnySystem: launchWith(cli, resident, "A") === launchWith(cli, resident, "B"),
    startCoxswain: (options = {}) => startHost({ ...settings, ...options, contestant: "warm-coxswain" }, cli.env),
    startOther: (contestant) => startHost({ ...others, contestant }, launch.env),
    async close() {
      remove();
      await cli[Symbol.asyncDispose]();
    },
  };
}

function launchWith({ env }: RealCli, { launch }: ResidentTransport, system: string): string {
  return JSON.stringify(launch({ prompt: QUESTION.prompt, system }, { answersPermissions: false, env }));
}

/** The process that Coxswain would keep. */
async function planOther(
  { provider, env }: RealCli,
  resident: ResidentTransport,
  model: string | undefined,
): Promise<{ readonly launch: Launch; readonly remove: () => void; readonly codexSettings: readonly string[] }> {
  const found = findBinary(provider.binary, env);
  if (!("command" in found)) throw new Error(`${provider.id} is not installed in .cache/real-clis`);
  const context = { ...found, answersPermissions: false, env, transport: resident };
  const target = { provider: provider.id, ...(model !== undefined && { model }) };
  const plan = planLaunch(atVersion(provider, undefined), target, { ...QUESTION }, context);
  const { launch, remove } = await resolveLaunch(plan, env);
  return { launch, remove, codexSettings: settingsOf({ ...plan, args: launch.args }) };
}
