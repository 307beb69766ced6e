import { type Command, Option } from "commander";
import type { PermissionMode } from "../../spec/request.ts";
import { addConfigOptions, addLogOptions, type ConfigChoice, type LogFlags } from "../open-client.ts";
import { PERMISSION_MODES } from "../options/ask-options.ts";
import { addOrigin, addValue, readCount, readPort, readRetries, readWaitSeconds } from "../options/read-option.ts";

export type ServeFlags = LogFlags & {
  readonly host: string;
  readonly port: number;
  /** False with `--no-auth`. */
  readonly auth: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly allowAgent?: string;
  readonly permissionMode?: PermissionMode;
  readonly trustProject?: true;
  readonly maxBody: number;
  readonly maxBodies: number;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly retries: number;
  readonly maxWait: number;
  readonly drainSeconds: number;
  readonly config?: ConfigChoice;
  readonly json?: true;
  readonly quiet?: true;
};

export function addServeOptions(command: Command): void {
  command
    .option("--host <address>", "the address to listen at", "127.0.0.1")
    .option("--port <n>", "the port to listen at; 0 chooses a free one", readPort, 8417);
  addConfigOptions(command, "the user's file");
  command
    .optionsGroup("Who may use it:")
    .option("--allow-host <name>", "a further name of this machine in the Host header; repeatable", addValue)
    .option(
      "--allow-origin <url>",
      "a web page's origin that may use the gateway, such as http://localhost:3000; repeatable",
      addOrigin,
    )
    .option("--no-auth", "require no token; only with a loopback address")
    .option("--allow-agent <dir>", "let requests with x-coxswain-mode: agent work in this directory (default: agent mode is off)")
    .addOption(new Option("--permission-mode <mode>", "permission mode of agents (default: default)").choices(PERMISSION_MODES))
    .option(
      "--trust-project",
      "let agents start the hooks, plugins and MCP servers that the project itself names (default: none)",
    )
    .optionsGroup("Failures and limits:")
    .option("--concurrency <n>", "answers at the same time (default: 8 for each CLI, 16 in all)", readCount)
    .option("--queue <n>", "requests that may wait; more are refused with status 429 (default: 256)", readCount)
    .option("--max-wait <seconds>", "longest wait of a request in the queue, and between attempts", readWaitSeconds, 60)
    .option("--retries <n>", "number of retries per CLI after a temporary failure, 0 to 10", readRetries, 2)
    .option("--max-body <megabytes>", "largest request", readCount, 32)
    .option("--max-bodies <megabytes>", "all requests in progress together; more are refused with status 503", readCount, 128)
    .option("--drain-seconds <n>", "how long answers may go on after SIGTERM or Ctrl-C", readWaitSeconds, 30)
    .optionsGroup("Output:")
    .option("--json", "print the address and each request as JSON lines")
    .option("--quiet", "print only errors");
  addLogOptions(command);
}
