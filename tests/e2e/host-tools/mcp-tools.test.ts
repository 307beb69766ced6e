import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMcp, createAgent, type McpTools } from "../../../src/agent/index.ts";
import type { McpServer } from "../../../src/spec/request.ts";
import { resultsIn, type ScriptedCall, ScriptedModel } from "../../support/agents/scripted-model.ts";
import { boatsServer } from "../../support/clis/boats-server.ts";
import { processesWith, untilGone } from "../../support/processes/process-scan.ts";

async function connect(servers: Readonly<Record<string, McpServer>>): Promise<McpTools> {
  const mcp = await connectMcp(servers);
  onTestFinished(() => mcp.close());
  return mcp;
}

/** What the model reads after these calls. */
async function resultsOf({ tools }: McpTools, ...calls: readonly ScriptedCall[]): Promise<readonly string[]> {
  const model = new ScriptedModel(calls, "Done.");
  await createAgent({ model, tools }).ask("Go").result();
  return resultsIn(model.asked[1]);
}

describe("the tools of MCP servers", () => {
  it("have the names of server and tool, their schemas, and whether they change something", async () => {
    const { tools } = await connect({ boats: boatsServer(), "other boats": boatsServer() });
    expect(tools.map(({ name, readOnly }) => `${name} ${readOnly}`)).toEqual([
      ...["boats__count true", "boats__rename false", "boats__sink false", "boats__picture true"],
      ...["other_boats__count true", "other_boats__rename false", "other_boats__sink false", "other_boats__picture true"],
    ]);
    expect(tools[1]).toMatchObject({ description: "Renames a boat", parameters: { required: ["name"] } });
  });

  it("run in the server, each with its own variables; an error of a tool is an error for the model", async () => {
    const mcp = await connect({ few: boatsServer({ BOATS: "2" }), many: boatsServer({ BOATS: "9" }) });
    const ada = { args: { name: "Ada" } };
    const calls = [{ name: "few__count" }, { name: "many__count" }, { name: "few__sink", ...ada }, { name: "few__rename" }];
    const results = await resultsOf(mcp, ...calls);
    expect(results.toSorted()).toEqual([
      "few__count: 2 boats",
      expect.stringMatching(/^few__rename: Error: The arguments are wrong: .*name/),
      "few__sink: Error: Ada does not sink.",
      "many__count: 9 boats",
    ]);
  });

  it("give images as images", async () => {
    const model = new ScriptedModel([{ name: "boats__picture" }], "Done.");
    const { tools } = await connect({ boats: boatsServer() });
    await createAgent({ model, tools }).ask("Go").result();
    expect(model.asked[1]?.at(-1)?.content).toEqual([
      { type: "text", text: "Here." },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ]);
  });

  it("come from a server over HTTP with its headers", async () => {
    const seen = new Set<string | undefined>();
    const server = createServer(async (request, response) => {
      seen.add(request.headers.authorization);
      if (request.method !== "POST") return void response.writeHead(405).end();
      const { id, method, params } = (await json(request)) as {
        id?: number;
        method: string;
        params: { protocolVersion: string };
      };
      if (id === undefined) return void response.writeHead(202).end();
      const tools = [{ name: "ping", inputSchema: { type: "object" } }];
      const about = {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "a", version: "1" },
      };
      const result = { initialize: about, "tools/list": { tools }, "tools/call": { content: [{ type: "text", text: "pong" }] } }[
        method
      ];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const mcp = await connect({ web: { type: "http", url, headers: { authorization: "Bearer secret" } } });
    expect(await resultsOf(mcp, { name: "web__ping" })).toEqual(["web__ping: pong"]);
    expect([...seen]).toEqual(["Bearer secret"]);
  });

  it.each([
    ["an error that is not caught", "throw new Error('MCP_NOTES is not set')", "Error: MCP_NOTES is not set"],
    ["a file that is missing", "require('./no-such-file.js')", "Error: Cannot find module './no-such-file.js'"],
    [
      "a program that is missing",
      "require('node:child_process').spawnSync(process.execPath, ['/no/such/server.js'], { stdio: 'inherit' }); process.exit(1)",
      "Error: Cannot find module '/no/such/server.js'",
    ],
    [
      "a traceback",
      "console.error('Traceback (most recent call last):\\n  File \"a.py\", line 1\\n    raise ValueError(\\nValueError: no notes'); process.exit(1)",
      "ValueError: no notes",
    ],
    [
      "a secret",
      "console.error('error: wrong token ' + process.env.NOTES_TOKEN); process.exit(1)",
      "error: wrong token [redacted]",
    ],
  ])("a server that ends with %s fails with its error, not with its last line", async (_what, script, said) => {
    const env = { NOTES_TOKEN: "a-very-secret-token-1234" };
    const failing = connectMcp({ notes: { command: process.execPath, args: ["-e", script], env } });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    const { message } = (error as { failure: { message: string } }).failure;
    expect(message.replace(/ Require stack:.*/, "")).toBe(
      `The MCP server notes is not available: Connection closed. It printed: ${said}`,
    );
  });

  it("a server that does not start fails by its name, with its last words, and the others end", async () => {
    const mark = { BOATS: `of ${crypto.randomUUID()}` };
    const failing = connectMcp({ good: boatsServer(mark), bad: boatsServer({ FAIL: "1" }) });
    await expect(failing).rejects.toMatchObject({
      failure: {
        code: "mcp-server-unavailable",
        message: expect.stringMatching(/^The MCP server bad is not available: .* It printed: No boats today\.$/),
      },
    });
    await untilGone(() => processesWith("BOATS", mark.BOATS));
    const missing = connectMcp({ gone: { command: "no-such-program-of-boats" } });
    await expect(missing).rejects.toThrow("the program no-such-program-of-boats was not found");
  });

  it("end with their connection", async () => {
    const mark = { BOATS: `of ${crypto.randomUUID()}` };
    const mcp = await connectMcp({ boats: boatsServer(mark) });
    expect(await processesWith("BOATS", mark.BOATS)).toHaveLength(1);
    await mcp.close();
    await untilGone(() => processesWith("BOATS", mark.BOATS));
  });
});
