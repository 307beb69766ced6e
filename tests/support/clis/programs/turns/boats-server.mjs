// A small MCP server on stdin and stdout, about boats: `count` changes nothing, `rename` does, `sink` fails, `picture` gives an image. It does not answer the method
// in SILENT, and says so in the file NOTE.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const TEXT = { type: "object", properties: { name: { type: "string", examples: ["Ada"] } }, required: ["name"] };
const TOOLS = [
  { name: "count", description: "Counts the boats", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "rename", description: "Renames a boat", inputSchema: TEXT },
  { name: "sink", description: "Sinks a boat", inputSchema: TEXT },
  {
    name: "picture",
    description: "A picture of the boats",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  },
];
const RESULTS = {
  count: () => ({ content: [{ type: "text", text: `${process.env.BOATS ?? 8} boats` }] }),
  rename: ({ name }) => ({ content: [{ type: "text", text: `The boat is ${name} now.` }] }),
  sink: ({ name }) => ({ content: [{ type: "text", text: `${name} does not sink.` }], isError: true }),
  picture: () => ({
    content: [
      { type: "text", text: "Here." },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ],
  }),
};

function resultOf({ method, params }) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "boats", version: "1" } };
  }
  if (method === "tools/list") return { tools: TOOLS };
  if (method === "tools/call") return RESULTS[params.name](params.arguments);
  return {};
}

if (process.env.FAIL !== undefined) {
  console.error("No boats today.");
  process.exit(3);
}
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id === undefined) continue;
  if (message.method === process.env.SILENT) {
    writeFileSync(process.env.NOTE, "asked");
    continue;
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) })}\n`);
}
