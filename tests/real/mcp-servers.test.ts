import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBridge } from "../../src/host-tools/bridge/open-bridge.ts";
import type { McpServer, McpServers } from "../../src/spec/request.ts";
import type { FakeAnswers } from "../../src/testing/index.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

type Row = {
  readonly name: CliName;
  /** The CLI's name of a server's tool `say`, as the model calls it. */
  readonly tool: (server: string) => { readonly name: string; readonly namespace?: string };
  /** The CLI's status of a server that does not start; undefined if it reports none. */
  readonly status?: string;
  /** Whether a required server that does not start is reported. */
  readonly reportsRequired: boolean;
};

const ROWS: readonly Row[] = [
  { name: "claude", tool: (server) => ({ name: `mcp__${server}__say` }), status: "failed", reportsRequired: true },
  { name: "codex", tool: (server) => ({ name: "say", namespace: `mcp__${server}` }), reportsRequired: true },
  { name: "copilot", tool: (server) => ({ name: `${server}-say` }), status: "failed", reportsRequired: true },
  { name: "gemini", tool: (server) => ({ name: `mcp_${server}_say` }), reportsRequired: false },
  { name: "opencode", tool: (server) => ({ name: `${server}_say` }), reportsRequired: false },
  { name: "qwen", tool: (server) => ({ name: `mcp__${server}__say` }), status: "disconnected", reportsRequired: true },
];

const PROGRAM: McpServer = {
  command: process.execPath,
  args: [join(import.meta.dirname, "programs/mcp-server.mjs")],
  env: { MARK: "by-program" },
};
const BROKEN: McpServer = { command: "/no/such/program" };

describe.each(ROWS)("MCP servers of a completion of real $name", ({ name, tool, status, reportsRequired }) => {
  it("the model is offered the tools of a program and of an HTTP server, both run, and a server that does not start is no failure", async () => {
    const calls = ["program", "web"].map((server) => ({ ...tool(server), input: { text: server } }));
    const cli = await openRealCli(name, [{ kind: "tool-calls", calls }, DONE] as FakeAnswers);
    const mcpServers: McpServers = { program: PROGRAM, web: await openWebServer(), broken: BROKEN };
    const run = await cli.run({ prompt: "Say it twice.", mcpServers });
    expect(run.failure).toBeUndefined();
    expect(run.result.text).toBe("Done.");
    const outputs = eventsOf(run, "tool-end").map(({ output, isError }) => `${output} ${isError}`);
    expect(outputs.toSorted()).toEqual(["SAID-by-http-web false", "SAID-by-program-program false"]);
    const [first, second] = modelRequestsOf(cli);
    expect(first?.tools.filter((offered) => /say$/.test(offered))).toHaveLength(2);
    expect(JSON.stringify(second?.body)).toContain("SAID-by-program-program");
    expect(JSON.stringify(second?.body)).toContain("SAID-by-http-web");
    const warned = status === undefined ? [] : [{ server: "broken", message: `MCP server "broken" is ${status}.` }];
    expect(eventsOf(run, "warning")).toMatchObject(warned);
  });

  it("a required server that does not start fails the run by its name, or is refused where that would not be reported", async () => {
    const cli = await openRealCli(name, DONE);
    const run = await cli.run({ prompt: "Hello.", mcpServers: { broken: { ...BROKEN, required: true } } });
    expect(cli.api.modelRequests).toEqual([]);
    if (reportsRequired)
      expect(run.failure).toMatchObject({ code: "mcp-server-unavailable", message: expect.stringContaining("broken") });
    else expect(run.failure).toMatchObject({ code: "option-unsupported" });
  });
});

const DONE = { kind: "text", text: "Done." } as const;

/** A server over HTTP whose only tool, `say`, runs in this process. */
async function openWebServer(): Promise<McpServer> {
  const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const bridge = await openBridge({
    tools: [{ name: "say", description: "Says a text.", parameters }],
    call: async ({ args }) => ({ text: `SAID-by-http-${args["text"]}`, isError: false }),
  });
  onTestFinished(() => bridge.close());
  return bridge.server;
}
