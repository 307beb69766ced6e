// A small MCP server on stdin and stdout: one tool, `say`, that returns its text with a mark.
import { createInterface } from "node:readline";

const TOOL = {
  name: "say",
  description: "Says a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

function resultOf({ method, params }) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "test", version: "1" } };
  }
  if (method === "tools/list") return { tools: [TOOL] };
  if (method === "tools/call") return { content: [{ type: "text", text: `SAID-${process.env.MARK}-${params.arguments.text}` }] };
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) })}\n`);
}
