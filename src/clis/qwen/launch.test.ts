import { expect, it } from "vitest";
import { pathOf, type StdinPlan } from "../../spec/provider/cli-data.ts";
import type { LaunchParts } from "../../spec/provider/provider.ts";
import type { Permissions, PromptRequest } from "../../spec/request.ts";
import { firstInput } from "../../spec/wire/define-wire.ts";
import { ONLY_HIDDEN } from "../shared/hide-project.ts";
import { launchQwen, refuseForQwen } from "./launch.ts";
import { qwenStream } from "./stream.ts";

type Launched = LaunchParts & { readonly stdin: StdinPlan };

const ID = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const ONE_PROCESS = { QWEN_CODE_RELAUNCH_ARGS: '["-h"]', NODE_DISABLE_COMPILE_CACHE: "1" };
const BASE = ["-o", "stream-json", "--include-partial-messages"];

function launch(given: Partial<PromptRequest>): Launched {
  const request = { prompt: "Hello", ...given };
  return { ...launchQwen(request, { answersPermissions: false }), stdin: firstInput(qwenStream, request) };
}

/** The flags after those of the format and the mode; `bypass` in a trusted project has no others of its own. */
function agentFlags(request: Partial<PromptRequest>): readonly string[] {
  return launch({ mode: "agent", trustProject: true, permissions: { mode: "bypass" }, ...request }).args.slice(BASE.length + 2);
}

function excludedBy(flags: readonly string[] = []): readonly string[] {
  return flags.filter((_, index) => flags[index - 1] === "--exclude-tools");
}

function fileOf({ tempFiles = [] }: LaunchParts, name: string): string | undefined {
  return tempFiles.find((file) => file.name === name)?.content;
}

it("a completion has our settings over the user's, its prompt as a command and an empty system prompt", () => {
  const parts = launch({});
  expect(parts.args.slice(0, 9)).toEqual([
    ...BASE,
    ...["--approval-mode", "default", "--extensions", "none", "--allowed-mcp-server-names", "none"],
  ]);
  for (const tool of ["run_shell_command", "get_goal", "list_agents", "tool_call"]) expect(parts.args).toContain(tool);
  expect(parts.args).not.toContain("structured_output");
  expect(parts.args.at(-1)).toBe("--chat-recording=false");
  expect(parts.stdin).toEqual({ text: "/coxswain-prompt", close: "now" });
  expect(parts.homeFiles).toEqual([{ path: "commands/coxswain-prompt.toml", content: 'prompt = "Hello"\n' }]);
  expect(parts.env).toEqual({
    ...ONE_PROCESS,
    QWEN_SYSTEM_MD: pathOf({ name: "system-prompt.md", content: "" }),
    QWEN_CODE_SYSTEM_SETTINGS_PATH: pathOf({ name: "settings.json", content: "" }),
    QWEN_CODE_MAX_OUTPUT_TOKENS: "32000",
  });
  expect(fileOf(parts, "system-prompt.md")).toBe("");
  expect(JSON.parse(fileOf(parts, "settings.json") ?? "")).toMatchObject({
    disableAllHooks: true,
    model: { skipStartupContext: true, generationConfig: { maxRetries: 0 } },
    skills: { disabledLevels: ["project", "user", "extension", "bundled"] },
    privacy: { usageStatisticsEnabled: false },
  });
});

it("an agent has its own home, its prompt on stdin, our defaults and a hidden project, unless that is trusted", () => {
  const bypass = { mode: "agent", permissions: { mode: "bypass" } } as const;
  const { args, env, stdin, tempFiles, homeFiles } = launch({ ...bypass, trustProject: true });
  expect(args).toEqual([...BASE, "--approval-mode", "yolo"]);
  const own = { ...ONE_PROCESS, QWEN_CODE_SYSTEM_DEFAULTS_PATH: pathOf({ name: "defaults.json", content: "" }) };
  expect(env).toEqual(own);
  expect({ stdin, homeFiles }).toEqual({ stdin: { text: "Hello", close: "now" }, homeFiles: [] });
  expect(tempFiles?.map(({ name }) => name)).toEqual(["defaults.json"]);
  const untrusted = launch(bypass);
  expect(untrusted.args).toEqual([...args, ONLY_HIDDEN]);
  expect(untrusted.env).toEqual({ ...own, NODE_OPTIONS: expect.stringContaining("--import") });
  expect(untrusted.tempFiles?.map(({ name }) => name)).toEqual(["defaults.json", "hide-project.cjs"]);
});

it.each([
  ["default", "default"],
  ["plan", "plan"],
  ["dont-ask", "default"],
  ["accept-edits", "auto-edit"],
  ["bypass", "yolo"],
] as const)("the permission mode %s is Qwen Code's %s", (mode, word) => {
  expect(launch({ mode: "agent", permissions: { mode } }).args.slice(BASE.length, BASE.length + 2)).toEqual([
    "--approval-mode",
    word,
  ]);
});

it("patterns and directories of an agent are flags of their own", () => {
  const flags = agentFlags({ permissions: { allow: ["Bash(git:*)"], deny: ["Edit", "glob"] }, addDirs: ["/a"] });
  expect(flags.slice(0, 2)).toEqual(["--allowed-tools", "run_shell_command(git *)"]);
  expect(excludedBy(flags).slice(0, 2)).toEqual(["edit", "glob"]);
  expect(flags.slice(-2)).toEqual(["--add-dir", "/a"]);
});

/** Whether a hook of the run denies a call of a tool; `checks` if that depends on the command. */
function hooksOf(parts: LaunchParts): (tool: string) => "denies" | "checks" | undefined {
  const { hooks } = JSON.parse(fileOf(parts, "hooks.json") ?? '{"hooks":{"PreToolUse":[]}}');
  return (tool) => {
    const found = hooks.PreToolUse.find(({ matcher }: { matcher: string }) => new RegExp(matcher).test(tool));
    return found === undefined ? undefined : found.hooks[0].command.startsWith("echo") ? "denies" : "checks";
  };
}

it("hooks keep to the tools of a mode and to patterns for commands, in settings that override the user's", () => {
  const reading = launch({ mode: "agent" });
  expect(reading.env?.["QWEN_CODE_SYSTEM_SETTINGS_PATH"]).toBe(pathOf({ name: "hooks.json", content: "" }));
  expect(JSON.parse(fileOf(reading, "hooks.json") ?? "")).toMatchObject({ disableAllHooks: false });
  const tools = [
    "read_file",
    "tool_call",
    "write_file",
    "run_shell_command",
    "enter_worktree",
    "of_another_version",
    "mcp__notes__add",
  ];
  const verdicts = (permissions: Permissions) => tools.map(hooksOf(launch({ mode: "agent", permissions })));
  expect(verdicts({})).toEqual([undefined, undefined, ...Array(5).fill("denies")]);
  expect(verdicts({ mode: "accept-edits" })).toEqual([undefined, undefined, "checks", ...Array(4).fill("denies")]);
  expect(verdicts({ allow: ["Bash(git *)", "mcp__notes"] })).toEqual([
    undefined,
    undefined,
    "denies",
    "checks",
    "denies",
    "denies",
    undefined,
  ]);
  expect(verdicts({ mode: "bypass", tools: ["Read"] })).toEqual([undefined, ...Array(6).fill("denies")]);
  expect(verdicts({ mode: "bypass" })).toEqual(Array(7).fill(undefined));
  const readOnly: Permissions = { mode: "bypass", deny: ["Write", "Edit", "Bash"] };
  expect(verdicts(readOnly)).toEqual([undefined, undefined, ...Array(4).fill("denies"), undefined]);
  const asking = hooksOf(launchQwen({ prompt: "hi", mode: "agent" }, { answersPermissions: true }, true));
  expect(tools.map(asking)).toEqual([undefined, undefined, undefined, undefined, "denies", "denies", undefined]);
  const open = { prompt: "hi", mode: "agent", permissions: { mode: "bypass", deny: ["Bash(rm *)"] } } as const;
  expect(refuseForQwen(open)?.message).toContain('the command pattern "rm *"');
});

it("tools that the mode does not allow are excluded, and a list of tools excludes all others, also those that `--core-tools` alone would keep", () => {
  expect(excludedBy(launch({ mode: "agent" }).args)).toEqual(
    expect.arrayContaining(["enter_worktree", "exit_plan_mode", "agent"]),
  );
  const flags = agentFlags({ permissions: { tools: ["read_file", "Bash"] } });
  expect(flags.slice(0, 4)).toEqual(["--core-tools", "read_file", "--core-tools", "run_shell_command"]);
  expect(excludedBy(flags)).toContain("tool_search");
  for (const tool of ["read_file", "run_shell_command"]) expect(excludedBy(flags)).not.toContain(tool);
  expect(agentFlags({ permissions: { tools: [] } }).slice(0, 2)).toEqual(["--core-tools", "none"]);
});

it("the system prompt is a private file, and a text to append is an argument", () => {
  expect(fileOf(launch({ system: "Be brief." }), "system-prompt.md")).toBe("Be brief.");
  expect(agentFlags({ system: "-brief" })).toEqual([]);
  expect(agentFlags({ system: "-brief", systemMode: "append" })).toEqual(["--append-system-prompt=-brief"]);
  const agent = launch({ mode: "agent", system: "-brief" });
  expect(fileOf(agent, "system-prompt.md")).toBe("-brief");
  expect(agent.env).toMatchObject({ QWEN_SYSTEM_MD: pathOf({ name: "system-prompt.md", content: "" }) });
  expect(launch({ mode: "agent", system: "" }).env).not.toHaveProperty("QWEN_SYSTEM_MD");
  expect(launch({ system: "x", systemMode: "append" }).env).not.toHaveProperty("QWEN_SYSTEM_MD");
});

it.each([
  [{ id: ID }, ["--session-id", ID]],
  [{ keep: true }, []],
  [{ resume: ID }, ["--resume", ID]],
] as const)("the session %j has the flags %j and is recorded", (session, flags) => {
  expect(agentFlags({ session })).toEqual(flags);
  expect(launch({ session }).args).not.toContain("--chat-recording=false");
});

it("a schema and MCP servers are files, a turn limit is an argument, an output limit is a variable and a setting", () => {
  const mcpServers = { local: { command: "server", env: { TOKEN: "top-secret" } } };
  const permissions = { mode: "bypass" } as const;
  const limits = { maxTurns: 3, maxOutputTokens: 512 };
  const parts = launch({ mode: "agent", permissions, outputSchema: { type: "object" }, mcpServers, ...limits });
  expect(parts.args.slice(5)).toEqual([
    ...["--mcp-config", pathOf({ name: "mcp.json", content: "" })],
    ...["--json-schema", `@${pathOf({ name: "schema.json", content: "" })}`],
    ...["--max-session-turns", "3"],
    ONLY_HIDDEN,
  ]);
  expect(fileOf(parts, "schema.json")).toBe('{"type":"object"}');
  expect(JSON.stringify([parts.args, parts.env])).not.toContain("top-secret");
  expect(parts.env).toMatchObject({ QWEN_CODE_MAX_OUTPUT_TOKENS: "512" });
  expect(fileOf(launch({ maxOutputTokens: 512 }), "settings.json")).toContain('"samplingParams":{"max_tokens":512}');
});

it("a prompt with two kinds of marks is the argument of a command, and refused if its whitespace would change", () => {
  const parts = launch({ prompt: "a !{x} b @{y} c" });
  expect(parts.homeFiles).toEqual([{ path: "commands/coxswain-prompt.toml", content: 'prompt = "a {{args}}y} c"\n' }]);
  expect(parts.stdin).toEqual({ text: "/coxswain-prompt !{x} b @{", close: "now" });
  expect(refuseForQwen({ prompt: "a !{x} b @{y}\n" })).toBeUndefined();
  expect(refuseForQwen({ prompt: "a !{x}\n@{y}" })).toMatchObject({ code: "prompt-malformed" });
  expect(refuseForQwen({ prompt: "a !{x}\n@{y}", mode: "agent" })).toBeUndefined();
});

it("a completion has the MCP servers of the request and no others, and may use their tools", () => {
  const parts = launch({ mcpServers: { notes: { command: "notes" }, web: { type: "http", url: "http://localhost/mcp" } } });
  expect(parts.args.join(" ")).toContain("--allowed-mcp-server-names notes --allowed-mcp-server-names web ");
  const web = { httpUrl: "http://localhost/mcp", headers: {}, trust: true };
  expect(JSON.parse(fileOf(parts, "mcp.json") ?? "")).toEqual({ mcpServers: { notes: { command: "notes", trust: true }, web } });
  expect(launch({}).args.join(" ")).toContain("--allowed-mcp-server-names none ");
});

it("an agent may call host tools, is offered them at once, and has no other trusted server", () => {
  const server = { type: "http", url: "http://127.0.0.1:1/x" } as const;
  const parts = launch({ mode: "agent", mcpServers: { host: server, own: server }, hostServer: "host" });
  const form = { httpUrl: server.url, headers: {} };
  expect(JSON.parse(fileOf(parts, "mcp.json") ?? "")).toEqual({
    mcpServers: { host: { ...form, trust: true, alwaysLoadTools: true, timeout: 86_400_000 }, own: form },
  });
  expect(["mcp__host__add", "mcp__own__add"].map(hooksOf(parts))).toEqual([undefined, "denies"]);
});

it("an entry of a list with a comma is refused: Qwen Code would split it, and a deny rule would have no effect", () => {
  const refused = (request: Partial<PromptRequest>) => refuseForQwen({ prompt: "hi", mode: "agent", ...request })?.message;
  const pattern = "run_shell_command(touch a,b)";
  for (const list of ["tools", "allow", "deny"]) expect(refused({ permissions: { [list]: [pattern] } })).toContain(pattern);
  expect(refused({ addDirs: ["/a,b"] })).toContain("/a,b");
  expect(refused({ addDirs: ["/a"], permissions: { deny: ["run_shell_command(touch a*b)"] } })).toBeUndefined();
});
