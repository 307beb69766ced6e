import { delimiter, join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeProgram } from "../support/clis/write-program.ts";
import { openMcp } from "../support/cox/open-mcp.ts";
import { openTestScope } from "../support/test-scope.ts";

test("the warnings of an answer name their MCP server, and its denials have their reason", async () => {
  const { directory } = openTestScope();
  const denied = { tool_name: "Bash", tool_use_id: "t", message: "Not today." };
  const content = [{ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }];
  const lines = [
    { type: "system", subtype: "init", session_id: "s", tools: [], mcp_servers: [{ name: "notes", status: "failed" }] },
    { type: "assistant", session_id: "s", message: { id: "m", role: "assistant", content } },
    { type: "system", subtype: "permission_denied", session_id: "s", ...denied },
    { type: "result", subtype: "success", is_error: false, session_id: "s", result: "Fine." },
  ].map((line) => `echo '${JSON.stringify(line)}'`);
  const script = `[ "$1" = --version ] && { echo 2.1.326; exit; }\nread -r line\n${lines.join("\n")}`;
  writeProgram(join(directory, "claude"), script);
  vi.stubEnv("PATH", `${directory}${delimiter}${process.env["PATH"]}`);
  const { call } = await openMcp();
  expect(await call("ask", { prompt: "hi", target: "claude" })).toMatchObject({
    text: "Fine.",
    data: {
      warnings: [{ code: "mcp-server-unavailable", message: 'MCP server "notes" is failed.', server: "notes" }],
      permissionDenials: [{ name: "Bash", input: { command: "ls" }, reason: "Not today." }],
    },
  });
});
