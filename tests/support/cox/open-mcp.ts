import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { builtFile } from "../built/built-file.ts";
import { processesWith, temporaryFolder } from "./start-cox.ts";

/** The structured data of a call, as far as tests look at it. */
export type CallData = Readonly<Record<string, unknown>>;

/** A client that is connected to a `cox mcp` of its own. */
export type OpenMcp = {
  readonly client: Client;
  readonly pid: number;
  /** The environment of the server, with its state directory. */
  readonly env: Readonly<Record<string, string>>;
  stderr(): string;
  /** Calls a tool; returns its text, its data and whether it failed. */
  call(name: string, args: Record<string, unknown>): Promise<{ text: string; data: CallData; isError: boolean }>;
  /** The processes of the server and of all CLIs that it has started. */
  processes(): readonly number[];
  /** Those of the CLIs alone. */
  runs(): readonly number[];
};

/** Starts `cox mcp` with its own state directory and connects the official client to it; both end with the test. */
export async function openMcp(...args: readonly string[]): Promise<OpenMcp> {
  return await openMcpIn({}, ...args);
}

/** The same with further variables in the environment of the server. */
export async function openMcpIn(more: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<OpenMcp> {
  const folder = temporaryFolder();
  const mark = randomUUID();
  const env = { ...definedEnvironment(), XDG_STATE_HOME: folder.path, XDG_CONFIG_HOME: folder.path, COX_TEST: mark, ...more };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtFile("bin/cox.js"), "mcp", ...args],
    env,
    cwd: folder.path,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(async () => {
    await client.close();
    folder[Symbol.dispose]();
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    env,
    stderr: () => stderr,
    call: async (name, given) => {
      const result = await client.callTool({ name, arguments: given });
      const [block] = result.content;
      const text = block?.type === "text" ? block.text : "";
      return { text, data: (result.structuredContent ?? {}) as CallData, isError: result.isError === true };
    },
    processes: () => processesWith(`COX_TEST=${mark}`),
    runs: () => processesWith(`COX_TEST=${mark}`, "COXSWAIN_RUN="),
  };
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
