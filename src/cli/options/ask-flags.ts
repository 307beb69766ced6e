import { type Command, Option } from "commander";
import { addConfigOptions, addLogOptions } from "../open-client.ts";
import { EFFORTS, PERMISSION_MODES } from "./ask-options.ts";
import { addValue, readCount, readRetries, readSeconds, readUsd, readWaitSeconds } from "./read-option.ts";

export const APPROVALS = ["approve", "full", "plan"] as const;

/** The help and the shell completion are made from these options. */
export function addAskOptions(command: Command): void {
  addTargetOptions(command);
  addAttachmentOptions(command);
  addConversationOptions(command);
  command
    .optionsGroup("Where it runs:")
    .option("--no-serve", "run in this process, also while cox serve could answer from a warm one (COXSWAIN_SERVE=off)")
    .optionsGroup("Output (one of):")
    .option("--json", "print the result as one JSON object")
    .option("--stream-json", "print each event as it happens, one JSON object per line")
    .option("--dry-run", "print the command line and its environment as JSON without starting it")
    .optionsGroup("More output:")
    .option("--verbose", "print to stderr what is started, where settings come from, times, and the output of tools");
  addLogOptions(command);
}

/** Adds the options of `cox chat`: those of `cox ask` that hold for a whole conversation. */
export function addChatOptions(command: Command): void {
  addTargetOptions(command);
  addConversationOptions(command);
  addOutputOption(command);
  addLogOptions(command);
}

function addOutputOption(command: Command): void {
  command.optionsGroup("More output:").option("--verbose", "print to stderr the output of tools");
}

/** Adds the options of `cox run`: those of `cox ask` that hold for an agent, and its own. */
export function addRunOptions(command: Command): void {
  addTargetOptions(command);
  addMcpOption(command);
  addConfigOptions(command);
  command
    .optionsGroup("Tools and limits:")
    .addOption(new Option("--approval <mode>", "which tool calls run without a question").choices(APPROVALS).default("approve"))
    .option("--allow-tool <name>", "a tool whose calls run without a question; repeatable", addValue)
    .option("--no-fallback", "use only the first CLI of a chain")
    .option("--max-steps <n>", "how often the model is asked at most", readCount, 50)
    .option("--timeout <seconds>", "timeout of the whole run, with the start of the MCP servers (default: no limit)", readSeconds)
    .option("--budget-usd <amount>", "stop when the cost of all steps reaches this amount (default: no limit)", readUsd)
    .optionsGroup("Output (one of):")
    .option("--json", "print the result as one JSON object, with the thread of the agent")
    .option("--stream-json", "print each event as it happens, one JSON object per line");
  addOutputOption(command);
  addLogOptions(command);
}

/** Adds the options of `cox compare`: those of `cox ask` that hold for a question to several CLIs. */
export function addCompareOptions(command: Command): void {
  command.option("-p, --provider <ids>", "the CLIs to compare, separated by commas: claude/opus,codex,gpt-5.5");
  addSystemOptions(command);
  addAttachmentOptions(command);
  addEffortOption(command);
  command.option("--timeout <seconds>", "timeout of each run (default: 600 s for each attempt)", readSeconds);
  addConfigOptions(command);
  command.optionsGroup("Failures and limits:");
  addRetriesOption(command);
  command
    .option("--budget-usd <amount>", "stop a CLI when the cost of its attempts reaches this amount (default: no limit)", readUsd)
    .optionsGroup("Output (one of):")
    .option("--json", "print all results as one JSON object")
    .option("--stream-json", "print each event as it happens, one JSON object per line, with its target");
  addLogOptions(command);
}

function addTargetOptions(command: Command): void {
  command
    .option(
      "-p, --provider <ids>",
      "the CLI, CLI/MODEL, a vendor's model or an alias; several with commas are a chain for fallback (default: the first installed CLI, without fallback)",
    )
    .option("-m, --model <name>", "the model; with several CLIs, the model of the first one (default: the CLI's default)");
  addSystemOptions(command);
}

function addSystemOptions(command: Command): void {
  command
    .option("-s, --system <text>", "system prompt (default: none)")
    .option("--append-system <text>", "text that follows the system prompt, or the CLI's own if there is none");
}

function addAttachmentOptions(command: Command): void {
  command
    .option("--file <path>", "a text file that is added to the prompt with its name; repeatable", addValue)
    .option("--image <path>", "an image that goes with the prompt: PNG, JPEG, GIF or WebP; repeatable", addValue)
    .option("--schema <file>", "JSON Schema file; the answer is JSON that matches it");
}

function addEffortOption(command: Command): void {
  command.addOption(new Option("--effort <level>", "how hard the model thinks (default: the CLI's default)").choices(EFFORTS));
}

function addRetriesOption(command: Command): void {
  command.option("--retries <n>", "number of retries per CLI after a temporary failure, 0 to 10", readRetries, 2);
}

function addConversationOptions(command: Command): void {
  addEffortOption(command);
  addMcpOption(command);
  command.option(
    "--timeout <seconds>",
    "timeout of the whole run (default: 600 s for each attempt, no limit with --agent)",
    readSeconds,
  );
  addConfigOptions(command);
  addSessionOptions(command);
  addPolicyOptions(command);
  addAgentOptions(command);
}

function addMcpOption(command: Command): void {
  command.option("--mcp <file>", 'JSON file with the MCP servers of the run, as {"mcpServers": {…}}; repeatable', addValue);
}

function addSessionOptions(command: Command): void {
  command
    .optionsGroup("Sessions (one of; default: nothing is stored):")
    .option("-c, --continue", "continue the last session of this directory; a new one begins if there is none")
    .option("--session <name>", "continue the session with this name; a new one begins if there is none")
    .option("--resume <id>", "continue the session with this id, or the beginning of one; cox sessions lists them");
}

function addPolicyOptions(command: Command): void {
  command.optionsGroup("Failures and limits:");
  addRetriesOption(command);
  command
    .option("--no-fallback", "use only the first CLI of a chain")
    .option("--max-wait <seconds>", "maximum sum of the waits between the attempts of one CLI (default: 60)", readWaitSeconds)
    .option("--budget-usd <amount>", "stop when the cost of all attempts reaches this amount (default: no limit)", readUsd);
}

function addAgentOptions(command: Command): void {
  command
    .optionsGroup("Working in a directory:")
    .option("--agent", "agent mode: the CLI uses its own tools (default: completion mode, without tools)")
    .option("--cwd <dir>", "working directory of the CLI (default: the current directory)")
    .option("--add-dir <dir>", "another directory that the CLI may use; repeatable", addValue);
  addPermissionOptions(command);
  command
    .option("--no-trust-project", "start none of them, and forget the answer of this directory")
    .option("--no-background", "disable background work of the CLI (default: the run waits for it)");
}

export function addPermissionOptions(command: Command): void {
  command
    .option("--allow-tool <pattern>", 'a tool that may run without approval, such as "Bash(git status)"; repeatable', addValue)
    .option("--deny-tool <pattern>", 'a tool that may not run, such as "WebFetch"; repeatable', addValue)
    .addOption(new Option("--permission-mode <mode>", "permission mode of the CLI (default: default)").choices(PERMISSION_MODES));
  addTrustOption(command);
}

function addTrustOption(command: Command): void {
  command.option(
    "--trust-project",
    "start the hooks, plugins, MCP servers and agents that the project itself names (default: cox ask and cox chat ask once per directory on a terminal, else none)",
  );
}

export type ShowOptions = { readonly raw?: true; readonly quiet?: true };

/** Adds the options that change what a terminal shows; a file or a pipe gets the same with and without them. */
export function addShowOptions(command: Command): Command {
  return command
    .option("--raw", "print the text of the answer as it is, instead of rendered Markdown (always so in a file or a pipe)")
    .option("-q, --quiet", "show no waiting sign, and no line with model, tokens, cost and time after the answer");
}
