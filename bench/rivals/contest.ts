import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LaunchPlan } from "../../src/spec/provider/cli-data.ts";
import type { Arena, CliName } from "./arena.ts";
import { BUILD_COPY } from "./copy-build.ts";
import { type Host, type HostSettings, type Question, startHost, type Variant } from "./host-process.ts";
import { RIVALS_FOLDER } from "./install.ts";

/** Coxswain, and its doors. */
const OURS = ["coxswain", "coxswain-ai-sdk", "coxswain-gateway"];

/** The contestants of a CLI: the CLI itself first, then Coxswain and its doors, then its rivals. */
const CONTESTANTS: Readonly<Record<CliName, readonly string[]>> = {
  claude: ["bare", ...OURS, "claude-agent-sdk", "ai-sdk-provider-claude-code"],
  codex: ["bare", ...OURS, "codex-sdk", "ai-sdk-provider-codex-cli"],
};

/** True for another library; neither the bare CLI nor Coxswain is one. */
export function isRival(name: string): boolean {
  return name !== "bare" && !OURS.includes(name);
}

/** Starts hosts with the same settings; `command` replaces the CLI by another program. */
export type Contest = {
  readonly arena: Arena;
  readonly names: readonly string[];
  start(contestant: string, command?: string): Promise<Host>;
};

/** What every contestant is asked. */
export const QUESTION = { prompt: "Why is the sky blue?", system: "You answer in one sentence." } as const;

/** Asks Coxswain for its launch plans; the bare CLI and the settings of the rivals are made from them. */
export async function openContest(arena: Arena): Promise<Contest> {
  const { cli, model, workspace, env } = arena;
  const common = {
    ...{ cli, model, workspace, apiUrl: arena.api.url },
    dist: pathToFileURL(join(BUILD_COPY, "index.js")).href,
    load: pathToFileURL(join(RIVALS_FOLDER, "load.mjs")).href,
  };
  const coxswain = await startHost({ ...common, contestant: "coxswain", command: arena.command }, env);
  const planFor = async (variant: Variant): Promise<LaunchPlan> =>
    withFiles(await coxswain.plan(toQuestion(variant)), join(arena.folder, `plan-${variant}`));
  const plans = { pure: await planFor("pure"), agent: await planFor("agent") };
  await coxswain.end();
  const endpoint = settingsOf(plans.pure).filter((setting) => setting.startsWith("model_provider"));
  const settings = {
    ...{ ...common, plans, plain: plainLaunch(arena, endpoint) },
    codexSettings: { pure: settingsOf(plans.pure), agent: settingsOf(plans.agent), plain: endpoint },
  };
  const start = (contestant: string, command: string = arena.command): Promise<Host> =>
    startHost({ ...settings, contestant, command } satisfies HostSettings, env);
  return { arena, names: CONTESTANTS[cli], start };
}

/** The question in one of its variants. */
export function toQuestion(variant: Variant): Question {
  return { variant, ...QUESTION };
}

/** Writes the temporary files of a plan and puts their paths into its arguments. */
function withFiles(plan: LaunchPlan, folder: string): LaunchPlan {
  for (const { name, content } of plan.tempFiles) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const args = plan.args.map((argument) => argument.replaceAll(/\0([^\0]+)\0/g, (_, name: string) => join(folder, name)));
  return { ...plan, args };
}

/** The settings of a Codex launch, in a form that any wrapper can pass. */
export function settingsOf({ args }: LaunchPlan): readonly string[] {
  return args.flatMap((argument, index) => {
    const value = args[index + 1] ?? "";
    if (argument === "-c") return [value];
    return argument === "--disable" ? [`features.${value}=false`] : [];
  });
}

/** The CLI as its manual starts it. */
function plainLaunch({ cli, model }: Arena, endpoint: readonly string[]): object {
  const args =
    cli === "claude"
      ? ["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages", "--model", model]
      : ["exec", "--json", "--skip-git-repo-check", ...endpoint.flatMap((value) => ["-c", value]), "--model", model, "-"];
  return { args, env: {}, stdin: { text: QUESTION.prompt, close: "now" } };
}
