import type { Command } from "commander";
import type { AgentTool, McpTools } from "../agent/index.ts";
import type { Client } from "../client.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { defined } from "../spec/json.ts";
import type { McpServer, Targets } from "../spec/request.ts";
import type { PermissionAnswer } from "../spec/stream.ts";
import { type Cancellation, listenForCancellation } from "./cancellation.ts";
import { RUN_EXIT_WORDS } from "./exit-codes.ts";
import { installedTarget, namesOf, readTargets } from "./find-provider.ts";
import { readMcpFiles } from "./input/read-mcp-file.ts";
import { readPrompt, toPromptParts } from "./input/read-prompt.ts";
import { clientWith, type LogFlags, readSoundFiles } from "./open-client.ts";
import { type APPROVALS, addRunOptions, addShowOptions, type ShowOptions } from "./options/ask-flags.ts";
import { type AskOptions, chosenOutput } from "./options/ask-options.ts";
import { readSettings, type Settings, withSourceOfSystem } from "./settings.ts";
import { allowToolAdvice } from "./show/allow-advice.ts";
import { exitCodeAfter, leave, refuse } from "./show/print-refusal.ts";
import { openDisplay, type PrintedRun, printRun, screenUntilLeft } from "./show/print-run.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { pageWidth, type Screen } from "./terminal/screen.ts";
import { toOneLine } from "./terminal/terminal-text.ts";
import { WaitingSign } from "./terminal/waiting-sign.ts";
import { UsageError } from "./usage-error.ts";

export function addRunCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("run")
    .summary("let an agent do a task with tools of MCP servers")
    .description(
      "Give a task to an agent. The CLI is its model, and the tools of the MCP servers are its tools. A tool that changes something runs only after you have allowed the call. The answer goes to stdout; tool calls, warnings and errors go to stderr.",
    )
    .argument("[task...]", "the task; text from stdin is added to it, or is the task if there is no argument");
  addRunOptions(command);
  addShowOptions(command.optionsGroup("On a terminal:"))
    .addHelpText("after", helpAfter(EXAMPLES, RUN_EXIT_WORDS))
    .action(async (words: string[], options: RunOptions) => exit(await run(words, options)));
}

const EXAMPLES = [
  'cox run --mcp servers.json "Which of my notes mention Ada?"',
  'cox run --mcp servers.json --approval plan "Clean up my notes"',
  'cox run --mcp servers.json --allow-tool notes__search -p claude/opus "Answer the open questions in my notes"',
  'cox run --mcp servers.json -p rehearsal -m tool-caller "Try a tool"   # no account needed',
];

type Agents = typeof import("../agent/index.ts");
type Asked = { readonly task: string; readonly targets: Targets; readonly settings: Settings; readonly leftMs?: number };

async function run(words: readonly string[], options: RunOptions): Promise<number> {
  const output = chosenOutput(options);
  const files = readSoundFiles(options.config);
  const settings = readSettings(options, process.env, files);
  const servers = readMcpFiles(options.mcp ?? []);
  const client = await clientWith(files, {}, options);
  const cancellation = listenForCancellation();
  let mcp: McpTools | undefined;
  try {
    const targets = chooseTargets(client, settings, options.fallback);
    const parts = toPromptParts(words, options);
    const left = countDown(parts.timeoutMs);
    const read = await readPrompt({ ...parts, signal: cancellation.signal });
    if (read === undefined) return leave(cancellation);
    if ("failure" in read) return refuse(read.failure, output, {});
    if ("code" in targets) return refuse(targets, output, {});
    const agents = await import("../agent/index.ts");
    const screen = screenUntilLeft(cancellation, { raw: options.raw === true });
    const shown = openDisplay(options, { output, isAgent: true }, screen);
    const started = await startServers(agents.connectMcp, servers, { ...shown, ...left(), signal: cancellation.signal });
    if ("code" in started) return refuse(started, output, {});
    mcp = started;
    const asked = { task: read.prompt, targets, settings, ...left() };
    return await runAgent(agents, asked, {
      client,
      shown,
      options,
      cancellation,
      tools: allowTools(mcp.tools, options.allowTool ?? []),
    });
  } catch (error) {
    if (!RunError.is(error)) throw error;
    return cancellation.signal.aborted ? leave(cancellation) : refuse(error.failure, output, {});
  } finally {
    await mcp?.close();
    await client.close();
    cancellation.dispose();
  }
}

/** The time that is left of the timeout; nothing without one. */
function countDown(timeoutMs: number | undefined): () => { readonly leftMs?: number } {
  const startedAt = performance.now();
  return () => (timeoutMs === undefined ? {} : { leftMs: Math.max(1, timeoutMs - Math.round(performance.now() - startedAt)) });
}

function chooseTargets(client: Client, settings: Settings, usesFallback: boolean): Targets | Failure {
  const named = readTargets(namesOf(client), settings, usesFallback) ?? installedTarget(client.providers, settings);
  return "failure" in named ? named.failure : named;
}

/** A tool that the user has allowed needs no approval, as one that changes nothing. */
function allowTools(tools: readonly AgentTool<never>[], allowed: readonly string[]): readonly AgentTool<never>[] {
  const names = tools.map(({ name }) => name);
  const unknown = allowed.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const hint = names.length === 0 ? "Name its server with --mcp." : `The tools are: ${names.join(", ")}.`;
    throw new UsageError(`There is no tool "${unknown}" to allow.`, hint);
  }
  return tools.map((tool) => (allowed.includes(tool.name) ? { ...tool, readOnly: true } : tool));
}

type Surroundings = {
  readonly client: Client;
  readonly shown: ReturnType<typeof openDisplay>;
  readonly options: RunOptions;
  readonly cancellation: Cancellation;
  readonly tools: readonly AgentTool<never>[];
};

const UNASKED: PermissionAnswer = { behavior: "deny", message: "No terminal was there to ask on, so the call was not made." };

async function runAgent({ createAgent }: Agents, asked: Asked, around: Surroundings): Promise<number> {
  const { client, shown, options, cancellation, tools } = around;
  const { task, targets, settings, leftMs } = asked;
  const instructions = [settings.system?.value, options.appendSystem].filter(Boolean).join("\n\n");
  const agent = createAgent({
    model: targets,
    client,
    tools,
    approval: options.approval,
    maxSteps: options.maxSteps,
    ...(instructions !== "" && { instructions }),
    budget: defined({ usd: options.budgetUsd, wallMs: leftMs }),
  });
  // There is no --dry-run here.
  const output = chosenOutput(options) as PrintedRun["output"];
  const onPermission = shown.desk?.onPermission ?? (() => UNASKED);
  const stream = agent.ask(task, { signal: cancellation.signal, onPermission });
  const chain = { targets, attempts: 1 };
  const endsAt = performance.now() + (leftMs ?? Number.POSITIVE_INFINITY);
  const explain = (failure: Failure): Failure =>
    failure.code === "budget-spent" && performance.now() >= endsAt
      ? tooLate(options, failure)
      : withSourceOfSystem(failure, settings);
  const isCancelled = (): boolean => cancellation.signal.aborted;
  const failure = await printRun({ output, stream, chain, explain, allowAdvice: allowToolAdvice, isCancelled, ...shown });
  return exitCodeAfter(failure && explain(failure), cancellation);
}

/** The timeout is a budget of time for the agent. */
function tooLate({ timeout }: RunOptions, { partialText }: Failure): Failure {
  const hint = "Raise --timeout, or split the task.";
  const failure = createFailure("total-timeout", `The run was not finished within ${timeout} s.`, { hint });
  return partialText === undefined ? failure : { ...failure, partialText };
}

type Connect = typeof import("../agent/index.ts")["connectMcp"];

type ServerWatch = {
  readonly signal: AbortSignal;
  /** The milliseconds that they may take; no limit of the command line by default. */
  readonly leftMs?: number;
  readonly screen: Screen;
  readonly hasSign: boolean;
};

const SILENT_MS = 10_000;

/**
 * Connects to the MCP servers of a run. A person at a terminal sees which ones are waited for, and a line names those that are silent for ten
 * seconds. Returns a failure if they take too long.
 */
async function startServers(
  connect: Connect,
  servers: Readonly<Record<string, McpServer>>,
  { signal, leftMs, screen, hasSign }: ServerWatch,
): Promise<McpTools | Failure> {
  const silent = new Set(Object.keys(servers));
  const names = (): string => [...silent].map((name) => toOneLine(name, 60)).join(", ");
  const sign = hasSign && silent.size > 0 ? new WaitingSign(screen, () => `MCP servers: ${names()}`, pageWidth) : undefined;
  const shown = sign?.behind() ?? screen;
  const tell = (): void => shown.note(`! MCP servers that have not answered for ${SILENT_MS / 1000} s: ${names()}\n`);
  const notice = screen.noteWidth === undefined ? undefined : setTimeout(tell, SILENT_MS);
  const late = new AbortController();
  const limit = leftMs === undefined ? undefined : setTimeout(() => late.abort(), leftMs);
  try {
    return await connect(servers, AbortSignal.any([signal, late.signal]), (name) => void silent.delete(name));
  } catch (error) {
    if (!late.signal.aborted || signal.aborted) throw error;
    return createFailure("total-timeout", `MCP servers that did not answer before --timeout: ${names()}`, {
      hint: "Raise --timeout, or check these servers.",
    });
  } finally {
    clearTimeout(notice);
    clearTimeout(limit);
    sign?.stop();
  }
}

type RunOptions = ShowOptions &
  LogFlags &
  Pick<AskOptions, "provider" | "model" | "system" | "appendSystem" | "mcp" | "allowTool" | "timeout" | "budgetUsd"> &
  Pick<AskOptions, "config" | "json" | "streamJson" | "verbose" | "fallback"> & {
    readonly approval: (typeof APPROVALS)[number];
    readonly maxSteps: number;
  };
