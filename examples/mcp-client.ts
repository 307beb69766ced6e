// An MCP client that asks an AI CLI: it starts `cox mcp` and calls its tool `ask`.
// Usage: mcp-client.ts [provider[/model]]
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

// Where `cox` is installed for all projects, `command: "cox", args: ["mcp"]` is enough.
const cox = fileURLToPath(new URL("bin/cox.js", import.meta.resolve("coxswain/package.json")));
const variables = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [cox, "mcp", "--quiet"],
  env: Object.fromEntries(variables),
});
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(transport);
try {
  const target = process.argv[2] ?? "claude";
  const { content, isError } = await client.callTool({
    name: "ask",
    arguments: { target, prompt: "Why is the sky blue? Two sentences." },
  });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (isError === true) {
    console.error(text);
    process.exitCode = 1;
  } else {
    console.log(text);
  }
} finally {
  await client.close();
}
