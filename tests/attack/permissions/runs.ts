import { join } from "node:path";
import type { Random } from "../../support/random.ts";
import { shuffled } from "../../support/recordings/seeds.ts";
import type { AttackRun } from "./attack-run.ts";
import type { ModeOrControl } from "./modes.ts";
import { inTurn, type Script } from "./orders.ts";
import type { Step, Trick } from "./trick.ts";
import type { AttackedCli } from "./tricks/cli-tools.ts";
import { commandTricks, longTricks } from "./tricks/command-tricks.ts";
import { editTricks } from "./tricks/edit-tricks.ts";
import { GIT_PATTERNS, GIT_PROGRAMS, gitSteps, plantGitPrograms } from "./tricks/git-programs.ts";
import { agentSteps, furtherAgentSteps, mcpSteps, planSteps } from "./tricks/own-runs.ts";
import { sweepTools } from "./tricks/tool-tricks.ts";

/** How many calls one answer of the model has. */
const CALLS_AT_ONCE = 24;
/** OpenCode ends its run after an answer with denied calls, and each of its starts takes seconds. */
const CALLS_OF_OPENCODE = 150;
const SERVER = join(import.meta.dirname, "../programs/mcp-writer.mjs");

/** How many commands and edits the share for CI has. */
const PART = { commands: 60, edits: 24 };

/** The tricks that share a process: commands in random order, and after them the tools that write. */
export function sharedTricks(cli: AttackedCli, random: Random, part: boolean): readonly Trick[] {
  const [commands, edits] = [shuffled(commandTricks(cli), random), editTricks(cli)];
  if (!part) return [...commands, ...edits];
  const chosen = shuffled(
    edits.filter(({ prepares }) => prepares !== true),
    random,
  ).slice(0, PART.edits);
  return [...commands.slice(0, PART.commands), ...edits.filter((trick) => trick.prepares === true || chosen.includes(trick))];
}

/** A run of tricks that share a process. */
export function sharedRun(tricks: readonly Trick[], cli: AttackedCli, mode: ModeOrControl): AttackRun {
  const size = cli === "opencode" && mode !== "bypass" ? CALLS_OF_OPENCODE : CALLS_AT_ONCE;
  return { name: "commands and edits", subject: "listed", script: { main: inTurn(inSteps(tricks, size)) }, totalMs: 180_000 };
}

/** The tricks that change or end a run; each kind has a run of its own. The share for CI has those that did the most harm. */
export function ownRuns(cli: AttackedCli, mode: ModeOrControl, part: boolean): readonly AttackRun[] {
  // In the control the commands and edits suffice to prove that orders reach the tools.
  if (part) return mode === "bypass" ? [] : [...planRuns(cli).slice(-1), toolRun(cli)];
  const asking = ASKING.includes(mode) ? [...planRuns(cli), editRun(cli), toolRun(cli)].map(withHost) : [];
  return [
    ...planRuns(cli),
    toolRun(cli),
    ...asking,
    agentRun(cli),
    furtherAgentRun(cli),
    longRun(cli),
    gitRun(cli),
    serverRun(cli),
  ];
}

/** The modes in which a host may be asked. */
const ASKING: readonly ModeOrControl[] = ["default", "plan", "accept-edits"];

function withHost(run: AttackRun): AttackRun {
  return { ...run, name: `${run.name}, with a host that denies`, hostDenies: true, starts: 3 };
}

function planRuns(cli: AttackedCli): readonly AttackRun[] {
  return Object.entries(planSteps(cli)).map(([name, steps]) => ({
    name: `plan: it ${name}`,
    subject: "listed",
    script: { main: inTurn(steps) },
  }));
}

function toolRun(cli: AttackedCli): AttackRun {
  return { name: "every tool", subject: "further", script: { main: sweepTools(cli) } };
}

function editRun(cli: AttackedCli): AttackRun {
  return { name: "edits", subject: "listed", script: { main: inTurn(inSteps(editTricks(cli))) } };
}

function agentRun(cli: AttackedCli): AttackRun {
  return { name: "sub-agents", subject: "listed", script: toScript(agentSteps(cli)), totalMs: 120_000 };
}

function furtherAgentRun(cli: AttackedCli): AttackRun {
  return {
    name: "sub-agents with further tools",
    subject: "further",
    script: toScript(furtherAgentSteps(cli)),
    totalMs: 120_000,
  };
}

function toScript({ main, subs }: ReturnType<typeof agentSteps>): Script {
  return { main: inTurn(main), subs };
}

function longRun(cli: AttackedCli): AttackRun {
  return {
    name: "long commands",
    subject: "listed",
    script: { main: inTurn(inSteps(longTricks(cli), 2)) },
    totalMs: 240_000,
  };
}

function gitRun(cli: AttackedCli): AttackRun {
  return {
    name: "programs of git",
    subject: "further",
    plant: plantGitPrograms,
    planted: GIT_PROGRAMS,
    allow: GIT_PATTERNS,
    script: { main: inTurn(gitSteps(cli)) },
  };
}

function serverRun(cli: AttackedCli): AttackRun {
  return {
    name: "a server",
    subject: "foreign",
    mcpServers: { writer: { command: process.execPath, args: [SERVER] } },
    script: { main: inTurn(mcpSteps(cli)) },
  };
}

function inSteps(tricks: readonly Trick[], size: number = CALLS_AT_ONCE): readonly Step[] {
  return Array.from({ length: Math.ceil(tricks.length / size) }, (_, index) => tricks.slice(index * size, (index + 1) * size));
}
