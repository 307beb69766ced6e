import { expect, it } from "vitest";
import { claudeStream } from "../../dialects/claude/claude-stream.ts";
import { pathOf, RUN_DIRECTORY, type StdinPlan, type TempFile } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { PermissionAnswer } from "../../spec/stream.ts";
import { firstInput } from "../../spec/wire/define-wire.ts";
import { launchClaude } from "./launch.ts";

type Launched = LaunchParts & { readonly stdin: StdinPlan };

const ID = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const BASE = ["-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--include-partial-messages"];
const PURE = [
  ...["--tools", "", "--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"],
  ...["--plugin-dir", `${RUN_DIRECTORY}/no-attachments`],
];
/** The user's settings alone, and the text of the project. */
const UNTRUSTED = ["--add-dir", ".", "--setting-sources", "user"];
const PLUGIN = ["no-attachments/hooks/hooks.json", "no-attachments/hooks/no-attachments.mjs"];

it("a bare completion has no tools, settings, servers, commands, system prompt or stored session", () => {
  const { args, env, tempFiles } = launch({});
  expect(args).toEqual([...BASE, ...PURE, "--system-prompt", "", "--no-session-persistence"]);
  expect(env).toEqual({ CLAUDE_CODE_DISABLE_ATTACHMENTS: "1", CLAUDE_CODE_HOOKS_SAME_THREAD: "1", DISABLE_AUTO_COMPACT: "1" });
  expect(tempFiles?.map(({ name }) => name)).toEqual(PLUGIN);
});

it("a bare agent keeps its tools, its attachments, its system prompt, its session and its permission questions", () => {
  const { args, env, tempFiles } = launch({ mode: "agent" });
  expect(tempFiles).toEqual([]);
  expect(args).toEqual([...BASE, ...UNTRUSTED, "--permission-mode", "default"]);
  expect(env).toEqual({ CLAUDE_CODE_MAX_RETRIES: "2", CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" });
  const trusted = launch({ mode: "agent", trustProject: true });
  expect([trusted.args, trusted.env]).toEqual([[...BASE, "--permission-mode", "default"], { CLAUDE_CODE_MAX_RETRIES: "2" }]);
});

it("the plugin of a completion removes every attachment, and every version can parse its list", async () => {
  const [list, module] = launch({}).tempFiles ?? [];
  expect(JSON.parse(list?.content ?? "")).toEqual({ hooks: {}, modules: ["./no-attachments.mjs"] });
  const { register }: { register: (on: (event: string, hook: () => Promise<unknown>) => void) => void } = await import(
    `data:text/javascript,${encodeURIComponent(module?.content ?? "")}`
  );
  const hooks = new Map<string, () => Promise<unknown>>();
  register((event, hook) => hooks.set(event, hook));
  expect([...hooks.keys()]).toEqual(["prompt.attachment"]);
  expect(await hooks.get("prompt.attachment")?.()).toEqual({ text: null });
});

it("a resumed session first gets the system prompt of the request", () => {
  const snapshotLine = { type: "control_request", request: { subtype: "initialize", systemPromptSnapshot: false } };
  for (const mode of ["completion", "agent"] as const) {
    for (const session of [{ resume: ID }, { fork: ID }])
      expect(linesOf(launch({ session, mode }))).toMatchObject([snapshotLine, { type: "user" }]);
    for (const session of [{ keep: true }, { id: ID }] as const)
      expect(linesOf(launch({ session, mode }))).toMatchObject([{ type: "user" }]);
  }
});

it("the prompt is one line on stdin, byte for byte, followed by a blank block; stdin stays open for the turn", () => {
  const prompt = '--help @/etc/hostname /word "quoted"\nsecond\r\nline\u2028 é👍 \u001b[31m';
  const { args, stdin } = launch({ prompt });
  expect(stdin.close).toBe("turn-end");
  expect(stdin.text.indexOf("\n")).toBe(stdin.text.length - 1);
  expect(JSON.parse(stdin.text)).toEqual({
    type: "user",
    message: {
      role: "user",
      content: [
        { type: "text", text: prompt },
        { type: "text", text: " " },
      ],
    },
  });
  expect(args.join("\n")).not.toContain("hostname");
});

it.each<[string, Partial<PromptRequest>, LaunchOptions, readonly string[]]>([
  ["a model", {}, { answersPermissions: false, model: "opus" }, ["--model", "opus"]],
  ["a turn limit", { maxTurns: 3 }, { answersPermissions: false }, ["--max-turns", "3"]],
  ["an effort", { effort: "high" }, { answersPermissions: false }, ["--effort", "high"]],
])("%s is a flag in both modes, and absent unless the request sets it", (_name, request, options, flags) => {
  for (const mode of ["completion", "agent"] as const) {
    const { args } = launchClaude({ prompt: "x", mode, ...request }, options);
    expect(args.slice(args.indexOf(flags[0] ?? ""))).toEqual(flags);
    expect(launch({ mode }).args).not.toContain(flags[0]);
  }
});

it("the output limit is an environment variable", () => {
  expect(launch({ maxOutputTokens: 512 }).env).toMatchObject({ CLAUDE_CODE_MAX_OUTPUT_TOKENS: "512" });
  expect(launch({}).env).not.toHaveProperty("CLAUDE_CODE_MAX_OUTPUT_TOKENS");
});

it.each([
  ["replace", "--system-prompt"],
  ["append", "--append-system-prompt"],
] as const)("a system prompt to %s is a private file in both modes, and an empty one needs none", (systemMode, flag) => {
  for (const mode of ["completion", "agent"] as const) {
    const parts = launch({ system: "Be brief.", systemMode, mode });
    const file = { name: "system-prompt.txt", content: "Be brief." };
    expect(flagValue(parts, `${flag}-file`)).toBe(pathOf(file));
    expect(givenFiles(parts)).toEqual([file]);
    expect(parts.args).not.toContain(flag);
    const empty = launch({ system: "", systemMode, mode });
    expect([flagValue(empty, flag), givenFiles(empty)]).toEqual(["", []]);
  }
});

it("a schema is sent on stdin before the prompt", () => {
  const outputSchema = { type: "object" };
  const line = { type: "control_request", request: { subtype: "initialize", jsonSchema: { type: "object" } } };
  for (const mode of ["completion", "agent"] as const) {
    const parts = launch({ outputSchema, mode });
    expect(linesOf(parts)).toMatchObject([line, { type: "user" }]);
    expect(givenFiles(parts)).toEqual([]);
  }
  const resumed = { request: { systemPromptSnapshot: false, jsonSchema: { type: "object" } } };
  expect(linesOf(launch({ outputSchema, session: { resume: "x" } }))).toMatchObject([resumed, { type: "user" }]);
  expect(linesOf(launch({}))).toMatchObject([{ type: "user" }]);
});

it("MCP servers are passed in a file, never in an argument, and no others are loaded", () => {
  const mcpServers = {
    local: { command: "server", args: ["--port", "1"], env: { TOKEN: "top-secret" } },
    remote: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer top-secret" } },
  } as const;
  for (const mode of ["completion", "agent"] as const) {
    const parts = launch({ mcpServers, mode });
    expect(parts.args.filter((argument) => argument === "--strict-mcp-config")).toHaveLength(1);
    expect(JSON.stringify([parts.args, parts.env, parts.stdin])).not.toContain("top-secret");
    const file = { name: "mcp.json", content: JSON.stringify({ mcpServers }) };
    expect(givenFiles(parts)).toEqual([file]);
    expect(flagValue(parts, "--mcp-config")).toBe(pathOf(file));
  }
});

it("a system prompt and MCP servers have separate files", () => {
  const parts = launch({ system: "x", mcpServers: {} });
  expect(givenFiles(parts).map(({ name }) => name)).toEqual(["system-prompt.txt", "mcp.json"]);
});

it.each([
  ["default", "default"],
  ["plan", "plan"],
  ["accept-edits", "acceptEdits"],
  ["dont-ask", "dontAsk"],
  ["bypass", "bypassPermissions"],
] as const)("the permission mode %s is Claude's %s", (mode, word) => {
  expect(flagValue(launch({ mode: "agent", permissions: { mode } }), "--permission-mode")).toBe(word);
});

it("tools, patterns and directories of an agent come before the flags of one value", () => {
  const permissions = {
    mode: "dont-ask",
    tools: ["Bash", "Read"],
    allow: ["Bash(git status)", "Read"],
    deny: ["Bash(rm *)"],
  } as const;
  const { args } = launch({ mode: "agent", permissions, addDirs: ["/a", "/b c"] });
  expect(args).toEqual([
    ...BASE,
    ...["--tools", "Bash,Read"],
    ...["--allowedTools", "Bash(git status)", "Read"],
    ...["--disallowedTools", "Bash(rm *)"],
    ...["--add-dir", "/a", "/b c"],
    ...UNTRUSTED,
    ...["--permission-mode", "dontAsk"],
  ]);
});

it("if tools are named, ToolSearch is off unless it is named too", () => {
  expect(launch({ mode: "agent", permissions: { tools: ["Read"] } }).env).toMatchObject({ ENABLE_TOOL_SEARCH: "false" });
  expect(launch({ mode: "agent", permissions: { tools: ["Read", "ToolSearch"] } }).env).not.toHaveProperty("ENABLE_TOOL_SEARCH");
});

it("an agent without tools gets an empty tool list; empty lists of patterns give no flags", () => {
  const { args } = launch({ mode: "agent", permissions: { tools: [], allow: [], deny: [] }, addDirs: [] });
  expect(args).toEqual([...BASE, "--tools", "", ...UNTRUSTED, "--permission-mode", "default"]);
});

it("only an agent with a permission handler asks on stdio", () => {
  const asked = launchClaude({ prompt: "x", mode: "agent" }, { answersPermissions: true });
  expect(flagValue(asked, "--permission-prompt-tool")).toBe("stdio");
  expect(launch({ mode: "agent" }).args).not.toContain("--permission-prompt-tool");
});

it.each<[string, NonNullable<PromptRequest["session"]>, readonly string[]]>([
  ["a new session with an id", { id: ID }, ["--session-id", ID]],
  ["a new session that is kept under an id of the CLI's own", { keep: true }, []],
  ["a resumed session", { resume: ID }, ["--resume", ID]],
  ["a fork", { fork: ID }, ["--resume", ID, "--fork-session"]],
  ["a fork with an id", { fork: ID, id: "other" }, ["--resume", ID, "--fork-session", "--session-id", "other"]],
])("%s is stored and has its flags", (_name, session, flags) => {
  expect(launch({ session, mode: "agent" }).args).toEqual([...BASE, ...UNTRUSTED, "--permission-mode", "default", ...flags]);
  expect(launch({ session }).args).toEqual([...BASE, ...PURE, "--system-prompt", "", ...flags]);
});

it("the launch contains nothing that the CLI must not see", () => {
  const launched = JSON.stringify(
    launch({ metadata: { ticket: "T-1" }, env: { MINE: "variable" }, timeouts: { totalMs: 987_654 } }),
  );
  for (const word of ["T-1", "variable", "987654"]) expect(launched).not.toContain(word);
});

it("a permission answer is one line: allowed with the original or changed input, or denied with a reason", () => {
  const answer = (decision: PermissionAnswer): unknown => {
    const turn = claudeStream.start({});
    turn.step({
      type: "control_request",
      request_id: "request-1",
      request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls\n" } },
    });
    const [send] = turn.answer?.("request-1", decision).send ?? [];
    const line = send !== undefined && "text" in send ? send.text : "";
    expect(line.indexOf("\n")).toBe(line.length - 1);
    return JSON.parse(line);
  };
  const response = (inner: unknown): unknown => ({
    type: "control_response",
    response: { subtype: "success", request_id: "request-1", response: inner },
  });
  expect(answer({ behavior: "allow" })).toEqual(response({ behavior: "allow", updatedInput: { command: "ls\n" } }));
  expect(answer({ behavior: "allow", updatedInput: { command: "pwd" } })).toEqual(
    response({ behavior: "allow", updatedInput: { command: "pwd" } }),
  );
  expect(answer({ behavior: "deny", message: "No." })).toEqual(response({ behavior: "deny", message: "No." }));
});

function launch(given: Partial<PromptRequest>): Launched {
  const request = { prompt: "Hello", ...given };
  return { ...launchClaude(request, { answersPermissions: false }), stdin: firstInput(claudeStream, request) };
}

/** The files that contain the caller's texts. */
function givenFiles({ tempFiles = [] }: LaunchParts): readonly TempFile[] {
  return tempFiles.filter(({ name }) => !PLUGIN.includes(name));
}

function linesOf({ stdin }: Launched): readonly unknown[] {
  return stdin.text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

function flagValue({ args }: LaunchParts, flag: string): string | undefined {
  expect(args.filter((argument) => argument === flag)).toHaveLength(1);
  return args[args.indexOf(flag) + 1];
}
