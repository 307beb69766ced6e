import { randomUUID } from "node:crypto";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { redact } from "../../failures/redact.ts";
import { secretsOfServer } from "../../failures/secrets.ts";
import { readMessages } from "../../failures/stderr-messages.ts";
import { createNativeReader } from "../../process/channel/native-reader.ts";
import { findBinary } from "../../process/child/find-program.ts";
import { openProcess } from "../../process/child/start-process.ts";
import { stripTerminalCodes } from "../../process/child/strip-terminal-codes.ts";
import { Supervisor } from "../../process/child/supervise.ts";
import { useGuardian } from "../../process/guardian/guardian.ts";
import { isJsonObject } from "../../spec/json.ts";
import type { McpServer } from "../../spec/request.ts";

/** A server that is a program. */
export type ServerProgram = Extract<McpServer, { readonly command: string }>;

const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The process of an MCP server, supervised like a CLI: it and all processes that it started end with the connection, and with this
 * process, however that ends.
 */
export class ServerProcess implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  private readonly server: ServerProgram;
  private readonly host = useGuardian();
  private process: Supervisor | undefined;

  constructor(server: ServerProgram) {
    this.server = server;
  }

  async start(): Promise<void> {
    const { command, args = [], env = {} } = this.server;
    const found = findBinary({ names: [command] }, process.env);
    if ("missing" in found) throw new Error(`the program ${command} was not found`);
    const reader = createNativeReader("stream-json", {
      lineBytes: LONGEST_LINE,
      onValue: (value) => {
        if (isJsonObject(value)) this.onmessage?.(value as JSONRPCMessage);
      },
      onDropped: ({ bytes }) => this.onerror?.(new Error(`The server printed a line of ${bytes} bytes.`)),
    });
    const plan = { provider: "mcp", command: found.command, args, env, stripEnv: [], stdout: "pipe", tempFiles: [] } as const;
    const opened = await openProcess(
      { ...plan, cwd: { kind: "given", path: process.cwd() }, temporary: "inherited", umask: "inherited" },
      {
        run: `mcp.${randomUUID()}`,
        env: process.env,
        guardian: this.host.guardian,
        stopSignal: "SIGTERM",
        onStdout: (chunk) => reader.push(chunk),
        onEnd: () => this.onclose?.(),
      },
    );
    if (!(opened instanceof Supervisor)) throw new Error(opened.message);
    this.process = opened;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.process?.write(`${JSON.stringify(message)}\n`);
  }

  /** The server has a moment to exit by itself after its input is closed. */
  async close(): Promise<void> {
    // A process that was released does not keep this one alive.
    const keepAlive = setInterval(() => {}, 1000);
    this.process?.release();
    await this.process?.gone;
    await this.host.leave();
    clearInterval(keepAlive);
    this.onclose?.();
  }

  /** What the server said about its failure on stderr, without its secrets. */
  lastWords(): string | undefined {
    const { stderrHead = "", stderrTail } = this.process?.stderr() ?? { stderrTail: "" };
    // Indented lines are stack frames, source code and the fields of an error, which a bracket ends.
    const lines = stripTerminalCodes(`${stderrHead}\n${stderrTail}`)
      .split(/\r?\n/)
      .filter((line) => !/^(?:\s|Traceback\b|[\])}]+$)/.test(line) || line.trim() === "");
    const messages = readMessages(lines);
    const words = (messages.find(({ isError }) => isError) ?? messages.at(-1))?.text;
    return words && redact(words, secretsOfServer(this.server));
  }
}
