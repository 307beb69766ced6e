import type { Command } from "commander";
import type { AgentTool, McpTools } from "../../agent/index.ts";
import type { Client } from "../../client.ts";
import type { Failure } from "../../spec/failure.ts";
import type { Target } from "../../spec/request.ts";
import { RunError } from "../../spec/run-error.ts";
import type { PermissionAnswer } from "../../spec/stream.ts";
import { thrownCode } from "../../spec/thrown.ts";
import { addRunOptions } from "../ask-flags.ts";
import { chosenOutput } from "../ask-options.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { EXIT, RUN_EXIT_WORDS } from "../exit-codes.ts";
import { firstTarget, readTargets } from "../find-provider.ts";
import { howToShow, screenUntilLeft } from "../how-to-show.ts";
import { nameSource } from "../name-source.ts";
import { clientWith, readSoundFiles } from "../open-client.ts";
import { exitCodeAfter, refuse } from "../print-refusal.ts";
import { type PrintedRun, printRun } from "../print-run.ts";
import { readMcpFiles } from "../read-mcp-file.ts";
import { readPrompt } from "../read-prompt.ts";
import { helpAfter } from "../render/help.ts";
import type { RunOptions } from "../run-options.ts";
import { readSettings, type Settings } from "../settings.ts";
import { addShowOptions, type ShowOptions } from "../show-options.ts";
import { UsageError } from "../usage-error.ts";

/** Adds `cox run`: a task for an agent with the tools of MCP servers. */
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
    .action(async (words: string[], options: RunOptions & ShowOptions) => exit(await run(words, options)));
}

const EXAMPLES = [
  'cox run --mcp servers.json "Which of my notes mention Ada?"',
  'cox run --mcp servers.json --approval plan "Clean up my notes"',
  'cox run --mcp servers.json --allow-tool notes__search -p claude/opus "Answer the open questions in my notes"',
  'cox run --mcp servers.json -p rehearsal -m tool-caller "Try a tool"   # no account needed',
];

type Agents = typeof import("../../agent/index.ts");
type Asked = { readonly task: string; readonly target: Target; readonly settings: Settings };

async function run(words: readonly string[], options: RunOptions & ShowOptions): Promise<number> {
  const output = chosenOutput(options);
  const files = readSoundFiles(options.config);
  const settings = readSettings(options, process.env, files);
  const servers = readMcpFiles(options.mcp ?? []);
  const client = await clientWith(files);
  const cancellation = listenForCancellation();
  let mcp: McpTools | undefined;
  try {
    const target = chooseTarget(client, settings);
    const read = await readPrompt({ words, files: [], signal: cancellation.signal });
    if (read === undefined) return cancellation.exitCode() ?? EXIT.interrupted;
    if ("failure" in read) return refuse(read.failure, output, {});
    if ("code" in target) return refuse(target, output, {});
    const agents = await loadAgents();
    mcp = await agents.connectMcp(servers, cancellation.signal);
    const asked = { task: read.prompt, target, settings };
    return await runAgent(agents, asked, {
      client,
      options,
      cancellation,
      tools: allowTools(mcp.tools, options.allowTool ?? []),
    });
  } catch (error) {
    if (!RunError.is(error)) throw error;
    return cancellation.exitCode() ?? refuse(error.failure, output, {});
  } finally {
    await mcp?.close();
    await client.close();
    cancellation.dispose();
  }
}

/** The agent needs LangChain, which is not a dependency of the package. */
async function loadAgents(): Promise<Agents> {
  try {
    return await import("../../agent/index.ts");
  } catch (error) {
    if (thrownCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(
      "cox run needs the package @langchain/core.",
      "Install it beside coxswain: npm install -g @langchain/core",
    );
  }
}

function chooseTarget(client: Client, settings: Settings): Target | Failure {
  const named = readTargets(client.providers, settings, true) ?? firstTarget(client.providers, settings);
  if ("failure" in named) return named.failure;
  if (named.length > 1) throw new UsageError("cox run asks one CLI; it has no fallback.", "Name one provider.");
  return named[0];
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
  readonly options: RunOptions & ShowOptions;
  readonly cancellation: Cancellation;
  readonly tools: readonly AgentTool<never>[];
};

const UNASKED: PermissionAnswer = { behavior: "deny", message: "No terminal was there to ask on, so the call was not made." };

async function runAgent({ createAgent }: Agents, asked: Asked, around: Surroundings): Promise<number> {
  const { client, options, cancellation, tools } = around;
  const { task, target, settings } = asked;
  const instructions = [settings.system?.value, options.appendSystem].filter(Boolean).join("\n\n");
  const agent = createAgent({
    model: `cli:${target.provider}${target.model === undefined ? "" : `/${target.model}`}`,
    client,
    tools,
    approval: options.approval,
    maxSteps: options.maxSteps,
    ...(instructions !== "" && { instructions }),
    ...(options.budgetUsd !== undefined && { budget: { usd: options.budgetUsd } }),
  });
  // There is no --dry-run here.
  const output = chosenOutput(options) as PrintedRun["output"];
  const screen = screenUntilLeft(cancellation, { raw: options.raw === true });
  const shown = howToShow(options, { output, isAgent: true }, screen);
  const onPermission = shown.desk?.onPermission ?? (() => UNASKED);
  const stream = agent.ask(task, { signal: cancellation.signal, onPermission });
  const chain = { targets: [target] as const, attempts: 1 };
  const explain = (failure: Failure): Failure => nameSource(failure, settings);
  return exitCodeAfter(await printRun({ output, stream, chain, explain, ...shown }), cancellation);
}
