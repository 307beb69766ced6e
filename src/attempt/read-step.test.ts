import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { grok } from "../clis/grok/provider.ts";
import { findBreach } from "./read-step.ts";

const context = (resume: string) =>
  ({ provider: claude, request: { prompt: "Hello", session: { resume } }, toolName: () => undefined }) as const;

it("a CLI that starts another session than the one asked for does not know it; the case of letters does not matter", () => {
  const event = { type: "session-start", sessionId: "abc-1" } as const;
  expect(findBreach(event, context("other-2"))).toMatchObject({ code: "session-unknown" });
  expect(findBreach(event, context("ABC-1"))).toBeUndefined();
});

it("a CLI that does not offer its tool for structured answers has dropped the schema", () => {
  const request = { prompt: "Hello", outputSchema: { type: "object" } };
  const given = { provider: claude, request, toolName: () => undefined } as const;
  const start = (tools?: readonly string[]) => ({ type: "session-start", sessionId: "x", ...(tools && { tools }) }) as const;
  expect(findBreach(start([]), given)).toMatchObject({ code: "schema-unreadable" });
  expect(findBreach(start(["StructuredOutput"]), given)).toBeUndefined();
  expect(findBreach(start(), given)).toBeUndefined();
  expect(findBreach(start([]), { ...given, request: { prompt: "Hello" } })).toBeUndefined();
});

it("a required MCP server that is not available fails the run and is named; any other is a warning", () => {
  const warning = {
    type: "warning",
    code: "mcp-server-unavailable",
    message: 'MCP server "notes" is failed.',
    server: "notes",
  } as const;
  const given = (required?: boolean) => {
    const notes = { command: "notes", ...(required !== undefined && { required }) };
    return { provider: claude, request: { prompt: "Hello", mcpServers: { notes } }, toolName: () => undefined };
  };
  expect(findBreach(warning, given(true))).toMatchObject({
    code: "mcp-server-unavailable",
    message: 'Claude Code cannot use a required MCP server. MCP server "notes" is failed.',
  });
  for (const required of [false, undefined]) expect(findBreach(warning, given(required))).toBeUndefined();
  expect(findBreach({ ...warning, server: "toString" }, given(true))).toBeUndefined();
});

it("a CLI that lists its tools without a host tool has lost it; by the bridge the tools have other names", () => {
  const nativeTools = [{ name: "look" }, { name: "listen" }];
  const start = { type: "session-start", sessionId: "x", tools: ["look"] } as const;
  const given = (request: object) => ({ provider: claude, request: { prompt: "Hello", ...request }, toolName: () => undefined });
  expect(findBreach(start, given({ nativeTools }))).toMatchObject({
    code: "option-unsupported",
    message: "Claude Code does not offer the host tools listen.",
  });
  expect(findBreach({ ...start, tools: ["look", "listen"] }, given({ nativeTools }))).toBeUndefined();
  const byBridge = { nativeTools, hostServer: "host", mcpServers: { host: { type: "http", url: "http://127.0.0.1/" } } };
  expect(findBreach({ ...start, tools: ["mcp__host__look"] }, given(byBridge))).toBeUndefined();
});

it("a CLI whose model reaches servers by tools of its own may offer these with a server, and must list the host tools", () => {
  const start = { type: "session-start", sessionId: "x", tools: ["search_tool", "use_tool", "host__look"] } as const;
  const given = (request: object) => ({ provider: grok, request: { prompt: "Hello", ...request }, toolName: () => undefined });
  const mcpServers = { host: { type: "http", url: "http://127.0.0.1/" } };
  const bridged = { nativeTools: [{ name: "look" }], hostServer: "host", mcpServers };
  expect(findBreach(start, given(bridged))).toBeUndefined();
  expect(findBreach(start, given({}))).toMatchObject({ code: "own-tools-active" });
  expect(findBreach({ ...start, tools: ["search_tool", "use_tool"] }, given(bridged))).toMatchObject({
    code: "mcp-server-unavailable",
    message: "Grok Build does not offer the host tools look.",
  });
});
