import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/support/cox/start-cox.ts";
import { readMcpFiles } from "./read-mcp-file.ts";

test("servers of several files are read together", () => {
  using folder = temporaryFolder();
  const program = { command: "files", args: ["--read-only"], env: { ROOT: "/" } };
  const first = folder.write("a.json", JSON.stringify({ mcpServers: { files: { type: "stdio", ...program } } }));
  const web = { type: "http", url: "https://example.org/mcp", headers: { Accept: "x" } };
  const second = folder.write("b.json", JSON.stringify({ mcpServers: { web } }));
  expect(readMcpFiles([first, second])).toEqual({ files: program, web });
  expect(() => readMcpFiles([first, first])).toThrow('has the MCP server "files" again');
});

test.each([
  ["{", "a.json:1:2: close brace expected"],
  ["[]", "a.json:1:1: the file must be an object, not []"],
  ['{"servers": {}}', 'a.json:1:1: the file lacks "mcpServers"'],
  ['{"mcpServers": {"x": 1}}', "a.json:1:22: mcpServers.x must be an object, not 1"],
  ['{"mcpServers": {"x": {}}}', 'a.json:1:22: mcpServers.x lacks "command"'],
  ['{"mcpServers": {"x": {"comand": "y"}}}', 'lacks "command"'],
  ['{"mcpServers": {"x": {"command": "y", "args": "z"}}}', 'a.json:1:47: mcpServers.x.args must be a list, not "z"'],
  ['{"mcpServers": {"x": {"url": "y", "type": "ftp"}}}', "mcpServers.x.type must be one of http, sse"],
])("a mistake is named with its place: %s", (content, says) => {
  using folder = temporaryFolder();
  const path = folder.write("a.json", content);
  expect(() => readMcpFiles([path])).toThrow(says);
});
