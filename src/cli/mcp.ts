import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { surroundingHosts } from "../launch/surrounding-hosts.ts";
import type { McpHost } from "../mcp/mcp-host.ts";
import { ownVersion } from "../process/child/find-program.ts";
import { listenForCancellation } from "./cancellation.ts";
import { EXIT } from "./exit-codes.ts";
import { installedTarget, namesOf, readTargets } from "./find-provider.ts";
import { addConfigOptions, addLogOptions, clientWith, type LogFlags, readOwnFiles } from "./open-client.ts";
import { addPermissionOptions } from "./options/ask-flags.ts";
import { type AskOptions, toPermissions } from "./options/ask-options.ts";
import { readSettings } from "./settings.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { processScreen } from "./terminal/screen.ts";
import { toUnbrokenText } from "./terminal/terminal-text.ts";
import { UsageError } from "./usage-error.ts";

type McpOptions = LogFlags &
  Pick<AskOptions, "provider" | "config" | "permissionMode" | "allowTool" | "denyTool" | "trustProject"> & {
    readonly allowAgent?: string;
    readonly quiet?: true;
  };

export function addMcpCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("mcp")
    .summary("serve the CLIs to other programs as an MCP server")
    .description(
      "Serve MCP over stdin and stdout, so that one AI CLI can ask another. Its tools are ask, compare, session, health and models. Register it with a CLI by one of the commands below. The server ends with stdin, and so do the CLIs that it has started. CLIs of a project's configuration are not offered.",
    )
    .option("-p, --provider <ids>", "the CLI, or the chain, for calls that name none (default: as in cox ask)")
    .option("-q, --quiet", "print no line about each call to stderr");
  addConfigOptions(command, "the user's file");
  command
    .optionsGroup("Agents:")
    .option("--allow-agent <dir>", "let calls start agents in this directory and those below it (default: no agents)");
  addPermissionOptions(command);
  addLogOptions(command);
  command.addHelpText("after", helpAfter(EXAMPLES)).action(async (options: McpOptions) => exit(await serve(options)));
}

const EXAMPLES = [
  "cox mcp   # waits for an MCP client on stdin",
  "claude mcp add coxswain -- cox mcp",
  "codex mcp add coxswain -- cox mcp",
  "gemini mcp add coxswain cox mcp",
  "claude mcp add coxswain -- cox mcp --provider codex,gemini --allow-agent .",
];

async function serve(options: McpOptions): Promise<number> {
  refuseDeepNesting();
  const agents = readAgents(options);
  // The caller is a model, which must not start a program that a project's file names.
  const files = readOwnFiles(options.config);
  const settings = readSettings(options.provider === undefined ? {} : { provider: options.provider }, process.env, files);
  const client = await clientWith(files, {}, options);
  const screen = processScreen();
  const cancellation = listenForCancellation();
  const host: McpHost = {
    client,
    defaultTargets: () => readTargets(namesOf(client), settings, true) ?? installedTarget(client.providers, settings),
    ...(agents !== undefined && { agents }),
    log: (line) => void (options.quiet || screen.note(`${toUnbrokenText(line)}\n`)),
  };
  try {
    // A wrong provider is a mistake of the command line, not of a call.
    readTargets(namesOf(client), settings, true);
    // Loaded on demand: only this command needs the package, which takes longer to load than the rest.
    const { serveMcp } = await import("../mcp/serve-mcp.ts");
    await serveMcp(host, ownVersion() ?? "", cancellation.signal);
    return cancellation.exitCode() ?? EXIT.answered;
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

const MOST_HOSTS = 1;

/** A CLI that Coxswain has started may ask another one by this server, but that one may not ask a third: otherwise two CLIs could ask each other without end. */
function refuseDeepNesting(): void {
  if (surroundingHosts(process.env).length <= MOST_HOSTS) return;
  throw new UsageError(
    "cox mcp does not start here: a CLI that was asked through Coxswain has itself asked a CLI through Coxswain.",
    "Remove the MCP server coxswain from the settings of the CLI that is asked, or ask it in completion mode.",
  );
}

function readAgents(options: McpOptions): McpHost["agents"] {
  const { allowAgent } = options;
  const permissions = toPermissions(options);
  const trustProject = options.trustProject === true;
  if (allowAgent === undefined) {
    if (Object.keys(permissions).length === 0 && !trustProject) return undefined;
    const flags = "--permission-mode, --allow-tool, --deny-tool and --trust-project";
    throw new UsageError(`${flags} need --allow-agent.`, "Add --allow-agent DIR.");
  }
  if (statSync(allowAgent, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${allowAgent} is not a directory.`, "Name an existing directory with --allow-agent.");
  return { directory: resolve(allowAgent), permissions, trustProject };
}
