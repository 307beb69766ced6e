import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { RequestOption } from "../spec/provider/cli-data.ts";
import { type Provider, withSpawn } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { validateRequest } from "./validate-request.ts";

const ID = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const OTHER_ID = "0A9C0F6A-1B7D-4C55-9A51-3F0C2D8E7B11";

it("a plain request is valid", () => {
  expect(validate({})).toBeUndefined();
  expect(validate({ prompt: "-x --help @file /word", system: "--system", metadata: { any: ["thing"] } })).toBeUndefined();
});

it.each(["", " ", "\n\t \r\n", "\u00a0\u2028\uFEFF"])("the prompt %j is blank", (prompt) => {
  expect(validate({ prompt })).toMatchObject({ category: "validation", code: "prompt-blank" });
});

it.each(["a\0b", "\0", "a\ud83d", "\udc4d b"])("a prompt or system prompt with %j is malformed", (text) => {
  expect(validate({ prompt: text })).toMatchObject({ category: "validation", code: "prompt-malformed" });
  expect(validate({ system: text })).toMatchObject({
    code: "prompt-malformed",
    message: expect.stringContaining("system prompt"),
  });
});

it("a prompt is measured in bytes: valid at the limit, too large one byte over it", () => {
  const provider = withSpawn(claude, { limits: { promptBytes: 10 } });
  expect(validate({ prompt: "ééééab" }, { provider })).toBeUndefined();
  expect(validate({ prompt: "x".repeat(10) }, { provider })).toBeUndefined();
  expect(validate({ prompt: "éééé👍" }, { provider })).toMatchObject({
    category: "validation",
    code: "prompt-too-large",
    message: "The prompt has 12 bytes; Claude Code takes at most 10.",
  });
  expect(validate({ prompt: "x".repeat(11) }, { provider })).toMatchObject({ code: "prompt-too-large" });
});

it("if a provider limits characters, a prompt is measured in code points too", () => {
  const provider = withSpawn(claude, { limits: { promptBytes: 100, promptCharacters: 4 } });
  expect(validate({ prompt: "👍👍👍👍" }, { provider })).toBeUndefined();
  expect(validate({ prompt: "👍👍👍👍a" }, { provider })).toMatchObject({
    code: "prompt-too-large",
    message: "The prompt has 5 characters; Claude Code takes at most 4.",
  });
});

it("Claude takes ten megabytes and not a byte more", () => {
  expect(validate({ prompt: "x".repeat(10 * 1024 * 1024) })).toBeUndefined();
  expect(validate({ prompt: "x".repeat(10 * 1024 * 1024 + 1) })).toMatchObject({ code: "prompt-too-large" });
});

const NUMBERS: readonly [string, (value: number) => Partial<PromptRequest>][] = [
  ["maxTurns", (maxTurns) => ({ maxTurns })],
  ["maxOutputTokens", (maxOutputTokens) => ({ maxOutputTokens })],
  ["firstEventMs", (firstEventMs) => ({ timeouts: { firstEventMs } })],
  ["idleMs", (idleMs) => ({ timeouts: { idleMs } })],
  ["totalMs", (totalMs) => ({ timeouts: { totalMs } })],
];

it.each(NUMBERS)("%s is a whole number above zero that a timer can hold", (name, requestWith) => {
  for (const value of [1, 1_000, 2 ** 31 - 1]) expect(validate(requestWith(value))).toBeUndefined();
  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    const failure = validate(requestWith(value));
    expect(failure).toMatchObject({ category: "validation", code: "bad-request", message: expect.stringContaining(name) });
  }
});

it("a number in a string is refused, not converted", () => {
  const request: PromptRequest = JSON.parse('{"prompt":"x","maxTurns":"5"}');
  expect(validateRequest(claude, { provider: "claude" }, request, {})).toMatchObject({
    code: "bad-request",
    message: 'maxTurns must be a whole number above zero, not "5".',
  });
});

it.each<[string, Partial<PromptRequest>]>([
  ["cwd", { cwd: "." }],
  ["addDirs", { addDirs: ["."] }],
  ["permissions", { permissions: {} }],
  ["trustProject", { trustProject: true }],
  ["cwd, addDirs, permissions", { cwd: ".", addDirs: [], permissions: {}, mode: "completion" }],
])("%s without agent mode is a conflict", (names, request) => {
  const failure = validate(request);
  expect(failure).toMatchObject({ category: "validation", code: "options-conflict", hint: expect.stringContaining("agent") });
  expect(failure?.message).toMatch(new RegExp(`^${names} needs? agent mode`));
  expect(validate({ ...request, mode: "agent" })).toBeUndefined();
});

it("allow patterns with bypass have no effect and are refused; bypass alone and deny patterns are valid", () => {
  expect(agent({ permissions: { mode: "bypass", allow: ["Bash(ls)"] } })).toMatchObject({ code: "options-conflict" });
  expect(agent({ permissions: { mode: "bypass", deny: ["Bash(rm *)"] } })).toBeUndefined();
  expect(agent({ permissions: { mode: "bypass", allow: [] } })).toBeUndefined();
  expect(agent({ permissions: { mode: "dont-ask", allow: ["Bash(ls)"] } })).toBeUndefined();
});

it("tools names whole tools, because a CLI could ignore a pattern there", () => {
  expect(agent({ permissions: { tools: ["Read", "Bash(ls)"] } })).toMatchObject({ code: "options-conflict" });
  expect(agent({ permissions: { tools: ["Read", "Bash"] } })).toBeUndefined();
});

it.each<[string, (word: string) => Partial<PromptRequest>]>([
  ["an allow pattern", (word) => ({ permissions: { allow: ["Read", word] } })],
  ["a deny pattern", (word) => ({ permissions: { deny: [word] } })],
  ["a tool", (word) => ({ permissions: { tools: ["Read", word] } })],
  ["a directory", (word) => ({ addDirs: [word] })],
])("%s that begins with a dash or is empty would be read as an option", (_name, requestWith) => {
  for (const word of ["--dangerously-skip-permissions", "-p", "-", ""]) {
    expect(agent(requestWith(word))).toMatchObject({ code: "options-conflict", message: expect.stringContaining(`"${word}"`) });
  }
  expect(agent(requestWith("."))).toBeUndefined();
});

it.each([
  "Read,Bash",
  "Read Bash",
  "Bash(ls",
  "Bash)ls(",
  "Bash(ls) Write",
  "Bash(ls), Write",
  'Bash(echo "), Write")',
  "(ls)",
  " Bash",
])("%j is no pattern: a CLI could find other tools in it", (pattern) => {
  for (const list of ["allow", "deny", "tools"]) {
    const failure = agent({ permissions: { [list]: ["Read", pattern] } });
    expect(failure).toMatchObject({ code: "bad-request", message: expect.stringContaining(`"${pattern}"`) });
  }
});

it.each([
  "*",
  "mcp__notes",
  "mcp__*",
  "Bash(git log, git show)",
  "Bash(echo $(date))",
  "Bash()",
  "lab(echo)",
  "WebFetch(domain:x.org)",
])("%j is a pattern", (pattern) => {
  expect(agent({ permissions: { deny: [pattern] } })).toBeUndefined();
});

it.each(["a,b", "*", "a/*", "a(b)", "-a", " a", "", "a\nb", "a\u001bb", "__proto__"])(
  "%j cannot be the name of an MCP server",
  (name) => {
    const mcpServers = JSON.parse(`{${JSON.stringify(name)}:{"command":"true"}}`);
    expect(validate({ mcpServers })).toMatchObject({ code: "bad-request", message: expect.stringContaining("MCP server") });
    expect(validate({ mcpServers: { "my server_1.x-y": { command: "true" } } })).toBeUndefined();
  },
);

it.each<[RequestOption, string, Partial<PromptRequest>, Partial<Target>?]>([
  ["system-append", "appending to its system prompt", { system: "Be brief.", systemMode: "append" }],
  ["add-dirs", "additional directories", { mode: "agent", addDirs: ["."] }],
  ["tool-patterns", "lists of tools and patterns", { mode: "agent", permissions: { allow: ["Bash(ls)"] } }],
  ["tool-patterns", "lists of tools and patterns", { mode: "agent", permissions: { deny: ["Bash"] } }],
  ["tool-patterns", "lists of tools and patterns", { mode: "agent", permissions: { tools: ["Read"] } }],
  ["tool-patterns", "lists of tools and patterns", { mode: "agent", permissions: { tools: [] } }],
  ["denial-reports", "reports of denied tool calls", { onPermissionDenied: "error" }],
  ["background-off", "switching off background tasks", { mode: "agent", backgroundTasks: "off" }],
  ["session-id", "a chosen session id", { session: { id: ID } }],
  ["session-id", "a chosen session id", { session: { fork: ID, id: OTHER_ID } }],
  ["session-resume", "resuming a session", { session: { resume: ID } }],
  ["session-fork", "branching a session", { session: { fork: ID } }],
  ["mcp-stdio", "MCP servers.", { mcpServers: {} }],
  ["mcp-stdio", "MCP servers.", { mcpServers: { notes: { command: "notes" } } }],
  ["mcp-http", "MCP servers over HTTP", { mcpServers: { notes: { type: "http", url: "http://127.0.0.1:1" } } }],
  ["mcp-sse", "MCP servers over SSE", { mcpServers: { notes: { type: "sse", url: "http://127.0.0.1:1" } } }],
  ["output-schema", "an output schema", { outputSchema: {} }],
  ["max-turns", "a turn limit", { maxTurns: 1 }],
  ["max-output-tokens", "an output limit", { maxOutputTokens: 1 }],
  ["effort", "an effort setting", { effort: "low" }],
  ["profile", "profiles", {}, { profile: "/p" }],
])("%s (%s): %j is refused if the provider does not list it, and valid if it does", (option, words, request, target = {}) => {
  const without = { ...claude, options: claude.options.filter((name) => name !== option) };
  const failure = validate(request, { provider: without, target });
  expect(failure).toMatchObject({ category: "validation", code: "option-unsupported" });
  expect(failure?.message).toContain(`Claude Code does not support ${words}`);
  expect(validate(request, { target })).toBeUndefined();
});

it("a request without options is valid for a provider without options", () => {
  const provider = { ...claude, options: [] };
  expect(
    validate({ system: "Be brief.", mode: "agent", permissions: { mode: "plan", allow: [] }, addDirs: [] }, { provider }),
  ).toBeUndefined();
});

it("a system prompt needs a provider that supports one", () => {
  const provider = { ...claude, traits: { ...claude.traits, systemPrompt: "none" } } as const;
  expect(validate({ system: "Be brief." }, { provider })).toMatchObject({ code: "option-unsupported" });
  expect(validate({ system: "Be brief." })).toBeUndefined();
});

it("a model name that begins with a dash is refused, and so is a resident process of a CLI without one", () => {
  expect(validate({}, { target: { model: "--resume" } })).toMatchObject({ code: "option-unsupported" });
  const provider = { ...claude, transports: { spawn: claude.transports.spawn } };
  expect(validate({}, { provider, target: { transport: "resident" } })).toMatchObject({ code: "option-unsupported" });
  expect(validate({}, { target: { transport: "resident" } })).toBeUndefined();
  expect(validate({}, { target: { model: "opus-4-5", transport: "spawn" } })).toBeUndefined();
});

it("auth by API key needs a non-empty key in the environment or in the request", () => {
  const request = { auth: "api-key" } as const;
  const missing = { category: "authentication", code: "not-logged-in", hint: "Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN." };
  expect(validate(request)).toMatchObject(missing);
  expect(validate(request, { env: { ANTHROPIC_API_KEY: "" } })).toMatchObject(missing);
  expect(validate(request, { env: { ANTHROPIC_AUTH_TOKEN: "t" } })).toBeUndefined();
  expect(validate({ ...request, env: { ANTHROPIC_API_KEY: "k" } })).toBeUndefined();
});

type Circumstances = {
  readonly provider?: Provider;
  readonly target?: Partial<Target>;
  readonly env?: Readonly<Record<string, string>>;
};

function validate(
  request: Partial<PromptRequest>,
  { provider = claude, target = {}, env = {} }: Circumstances = {},
): Failure | undefined {
  return validateRequest(provider, { provider: provider.id, ...target }, { prompt: "Hello", ...request }, env);
}

function agent(request: Partial<PromptRequest>): Failure | undefined {
  return validate({ ...request, mode: "agent" });
}
