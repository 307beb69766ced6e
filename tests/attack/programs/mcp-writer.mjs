// An MCP server whose only tool writes a file.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "writer", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: [
      {
        name: "leave",
        description: "Writes a file.",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
  }),
  "tools/call": ({ arguments: { path } }) => {
    writeFileSync(path, "");
    return { content: [{ type: "text", text: "written" }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const toAnswer = answers[method];
  const answer = toAnswer === undefined ? { error: { code: -32601, message: "unknown" } } : { result: toAnswer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
