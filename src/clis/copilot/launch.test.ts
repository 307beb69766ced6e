import { describe, expect, it } from "vitest";
import { pathOf, RUN_DIRECTORY, type StdinPlan } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { firstInput } from "../../spec/wire/define-wire.ts";
import { launchCopilot, refuseCopilot } from "./launch.ts";
import { copilotLines } from "./lines.ts";

type Launched = LaunchParts & { readonly stdin: StdinPlan };

const ID = "0cb916db-26aa-40f2-86b5-1ba81b225fd2";
const BASE = [
  ...["--output-format", "json", "--stream", "on", "--no-ask-user", "--no-color", "--log-level", "none"],
  ...["--no-auto-update", "--no-remote", "--no-remote-export", "--disable-client-telemetry"],
];

it("a bare completion has no tools, servers or instructions, and its prompt is on stdin", () => {
  const { args, env, stdin, tempFiles } = launch({ prompt: "--help @/etc/hostname /word" });
  expect(args).toEqual([...BASE, "--available-tools=none", "--disable-builtin-mcps", "--no-custom-instructions"]);
  expect({ env, stdin, tempFiles }).toEqual({
    env: {},
    stdin: { text: "--help @/etc/hostname /word", close: "now" },
    tempFiles: [],
  });
});

it("a system prompt is passed as instructions in a directory of the run", () => {
  const { args, env, tempFiles } = launch({ system: "Be terse." });
  expect(args).not.toContain("--no-custom-instructions");
  expect(env).toEqual({ COPILOT_CUSTOM_INSTRUCTIONS_DIRS: RUN_DIRECTORY });
  expect(tempFiles).toEqual([{ name: "coxswain.instructions.md", content: "Be terse." }]);
  expect(launch({ system: "---\nx" }).tempFiles?.[0]?.content).toBe("\n---\nx");
  const user = { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: "/mine" };
  const agent = launch({ mode: "agent", system: "Be terse." }, { env: user });
  expect(agent.env).toMatchObject({ COPILOT_CUSTOM_INSTRUCTIONS_DIRS: `/mine,${RUN_DIRECTORY}` });
});

const EDITS = ["--allow-tool=write", "--deny-tool=write(.git/**)", "--deny-tool=write(.git)", "--disallow-temp-dir"];

/** A project that is not trusted can replace the agents of Copilot. */
const NO_AGENTS = "--excluded-tools=task,write_agent,read_agent,list_agents";

/** Without a pattern for commands the shell is denied twice: by Copilot and by the hook. */
const CLOSED = ["--deny-tool=shell", NO_AGENTS, "--plugin-dir", `${RUN_DIRECTORY}/command-plugin`];

it.each([
  ["default", CLOSED],
  ["plan", CLOSED],
  ["dont-ask", CLOSED],
  ["accept-edits", [...EDITS, ...CLOSED]],
  ["bypass", ["--allow-all", NO_AGENTS]],
] as const)("an agent in mode %s gets the flags %j", (mode, flags) => {
  expect(launch({ mode: "agent", permissions: { mode } }).args).toEqual([...BASE, ...flags]);
});

it("patterns are mapped to kinds of tools, also those written for other CLIs", () => {
  const permissions = { tools: ["view", "Bash"], allow: ["Bash", "lab(echo)"], deny: ["Edit", "WebFetch(x.org)"] };
  expect(launch({ mode: "agent", permissions, addDirs: ["/a"] }).args.slice(BASE.length)).toEqual([
    "--available-tools=view,bash",
    ...["--allow-tool=shell", "--allow-tool=lab(echo)"],
    ...["--deny-tool=write", "--deny-tool=url(x.org)", "--add-dir", "/a", NO_AGENTS],
  ]);
  expect(launch({ mode: "agent", permissions: { tools: [] } }).args).toContain("--available-tools=none");
});

it("a project is trusted for a new session", () => {
  const trusted = { mode: "agent", permissions: { mode: "bypass" }, trustProject: true } as const;
  expect(launch(trusted).args).toEqual([...BASE, "--allow-all", "--trust-folder"]);
  expect(launch({ ...trusted, session: { resume: ID } }).args).not.toContain("--trust-folder");
});

it("patterns for commands are allowed by a hook alone", () => {
  const permissions = { allow: ["Bash(git:*)", "shell(ls)", "Edit"] };
  const { args, env, tempFiles = [] } = launch({ mode: "agent", permissions });
  expect(args.slice(BASE.length)).toEqual(["--allow-tool=write", NO_AGENTS, "--plugin-dir", `${RUN_DIRECTORY}/command-plugin`]);
  expect(tempFiles.map(({ name }) => name)).toEqual([
    ...["command-hook.cjs", "command-plugin/plugin.json", "command-plugin/hooks.json"],
  ]);
  expect(Object.keys(env ?? {})).toEqual(["COXSWAIN_NODE", "COXSWAIN_COMMAND_HOOK"]);
  const refused = refuseCopilot({ prompt: "hi", mode: "agent", permissions: { mode: "bypass", deny: ["Bash(rm *)"] } });
  expect(refused?.message).toContain('the command pattern "rm *"');
});

it("sessions, model and effort have flags", () => {
  expect(launch({ session: { id: ID } }).args).toContain(`--session-id=${ID}`);
  expect(launch({ session: { resume: ID } }).args).toContain(`--resume=${ID}`);
  expect(launch({ effort: "max" }, { model: "gpt-5.5" }).args.slice(-4)).toEqual([
    ...["--model", "gpt-5.5", "--reasoning-effort", "max"],
  ]);
});

it("an agent may call host tools, also if its own tools are listed", () => {
  const mcpServers = { host: { type: "http", url: "http://127.0.0.1:1/x" } } as const;
  const { args } = launch({ mode: "agent", mcpServers, hostServer: "host", permissions: { tools: [] } });
  expect(args).toContain("--available-tools=none,host/*");
  expect(args).toContain("--allow-tool=host");
});

it("servers are passed in a private file, and a completion may use them", () => {
  const lab = { command: "node", env: { KEY: "secret" } };
  const { args, tempFiles = [] } = launch({ mcpServers: { lab } });
  const [file] = tempFiles;
  expect(args.slice(-2)).toEqual(["--additional-mcp-config", `@${file && pathOf(file)}`]);
  expect(args).toEqual(expect.arrayContaining(["--available-tools=none,lab/*", "--allow-tool=lab"]));
  expect(JSON.parse(file?.content ?? "")).toEqual({ mcpServers: { lab: { type: "local", args: [], ...lab, tools: ["*"] } } });
});

describe("commands that Copilot would execute", () => {
  it.each(["/compact", " /compact", "/compact now", "/autopilot x", "\n\t/goal\nx"])("%j is refused", (prompt) => {
    expect(refuseCopilot({ prompt })?.code).toBe("prompt-malformed");
  });

  it.each(["/compaction", "/Compact", "see /compact", "/help", "/goals", "a\n/goal"])("%j is not", (prompt) => {
    expect(refuseCopilot({ prompt })).toBeUndefined();
  });
});

function launch(given: Partial<PromptRequest>, options: Partial<LaunchOptions> = {}): Launched {
  const request = { prompt: "hi", ...given };
  return { ...launchCopilot(request, { answersPermissions: false, ...options }), stdin: firstInput(copilotLines, request) };
}
