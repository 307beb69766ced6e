import { describe, expect, it } from "vitest";
import type { Permissions, PromptRequest } from "../../spec/request.ts";
import { launchGrok, refuseForGrok } from "./launch.ts";

const SESSION = "0cb916db-26aa-40f2-86b5-1ba81b225fd2";

function launch(request: Partial<PromptRequest>): {
  args: readonly string[];
  files: Readonly<Record<string, string>>;
  flag: Flag;
} {
  const { args, tempFiles = [] } = launchGrok({ prompt: "hi", ...request }, { answersPermissions: false });
  const flag: Flag = (name) => args[args.indexOf(name) + 1];
  return { args, files: Object.fromEntries(tempFiles.map(({ name, content }) => [name, content])), flag };
}

type Flag = (name: string) => string | undefined;

describe("the prompt of a completion", () => {
  it.each(["hi", "bob@example.com", "@note.txt", "a @ b", "/etc/hosts?", "--help", "\ufeffhi", "@types/node", "x@/etc/hosts"])(
    "%j is in a file, after a note without content",
    (prompt) => {
      const { args, files } = launch({ prompt });
      expect(files["prompt.txt"]).toBe(prompt);
      expect(files["agent.md"]).toContain("<user_info></user_info>");
      expect(args).not.toContain("--prompt-json");
    },
  );

  it.each([" hi", "hi\n", "\u00a0hi", "hi\u0085"])("%j is passed as JSON, which keeps leading and trailing spaces", (prompt) => {
    const { files, flag } = launch({ prompt });
    expect(JSON.parse(flag("--prompt-json") ?? "")).toEqual([{ type: "text", text: prompt }]);
    expect(Object.keys(files)).toEqual(["agent.md"]);
  });

  it.each([
    "/compact",
    " /context now",
    "/Status",
    "@/etc/hostname",
    "see (@/x)",
    "@ /x",
    "@../x",
    "@./../x",
    "@..",
    "@C:\\x",
    "@@/x",
  ])("%j replaces the note", (prompt) => {
    const { files } = launch({ prompt });
    expect(files["prompt.txt"]).toBe("Answer the message above.");
    expect(files["agent.md"]).toContain(prompt.replaceAll("\\", "\\\\"));
    expect(refuseForGrok({ prompt })).toBeUndefined();
  });

  it.each(["/compact", "@/etc/hostname"])("%j is refused in a resumed session", (prompt) => {
    for (const session of [{ resume: SESSION }, { fork: SESSION }])
      expect(refuseForGrok({ prompt, session })).toMatchObject({ code: "prompt-malformed" });
    expect(refuseForGrok({ prompt, session: { resume: SESSION }, mode: "agent" })).toBeUndefined();
    expect(refuseForGrok({ prompt: "hi", session: { resume: SESSION } })).toBeUndefined();
  });
});

describe("the system prompt", () => {
  it("is the text of an agent; no placeholder is expanded and no space is lost", () => {
    const { args, files } = launch({ system: " §{{ a }} §{% b %} §{c}\n".replaceAll("§", "$") });
    const body = '§{{""}} §{{"§"}}{{ a }} §{{"§"}}{% b %} §{c}\n§{{""}}'.replaceAll("§", "$");
    expect(files["agent.md"]?.split("\n---\n")).toEqual([expect.stringContaining("promptMode: full"), body]);
    expect(args).not.toContain("--system-prompt-override");
  });

  it("is never empty, and is appended to the CLI's own on request", () => {
    for (const system of [undefined, "", " \n"])
      expect(launch(system === undefined ? {} : { system }).files["agent.md"]).toContain("You are a helpful assistant.");
    expect(launch({ system: "x", systemMode: "append" }).files["agent.md"]).toContain("promptMode: extend");
  });

  it("of an agent is in a file too, unless it resumes a session or appends to the CLI's own", () => {
    const { args, files, flag } = launch({ mode: "agent", system: "be brief" });
    expect(files["agent.md"]).toContain("be brief");
    expect(files["agent.md"]).not.toContain("userMessageTemplate");
    expect([flag("--agent"), args.join()]).toEqual([expect.stringContaining("agent.md"), expect.not.stringContaining("brief")]);
    // An agent of a file has one more tool, which is switched off.
    expect(flag("--disallowed-tools")).toContain("wait_tasks");
    expect(launch({ mode: "agent", system: "x", session: { resume: SESSION } }).flag("--system-prompt-override")).toBe("x");
    expect(launch({ mode: "agent", system: "x", systemMode: "append" }).flag("--rules")).toBe("x");
  });
});

describe("permissions", () => {
  const rules = (args: readonly string[], flag: string): readonly string[] => args.filter((_, index) => args[index - 1] === flag);

  it.each([
    ["default", ["Bash", "Edit", "Write", "WebFetch", "MCPTool"]],
    ["bypass", []],
  ] as const)("of mode %s become deny rules", (mode, denied) => {
    const { args } = launch({ mode: "agent", permissions: { mode, deny: ["Read(x)"] } });
    expect(args).toContain("--always-approve");
    expect(rules(args, "--deny")).toEqual([...denied, "Read(x)"]);
  });

  it("of an allowed kind are no deny rules", () => {
    const { args } = launch({ mode: "agent", permissions: { allow: ["write", "WebFetch"] } });
    expect(rules(args, "--deny")).toEqual(["Bash", "Edit", "MCPTool"]);
    expect(rules(launch({ mode: "agent", permissions: { allow: ["*"] } }).args, "--deny")).toEqual([]);
  });

  it("of an allowed shell remove the tools that edit, because a rule against them would stop commands too", () => {
    const { args, flag } = launch({ mode: "agent", permissions: { allow: ["Bash", "Write"] } });
    expect(rules(args, "--deny")).toEqual(["WebFetch", "MCPTool"]);
    expect(flag("--disallowed-tools")).toContain("search_replace");
    expect(flag("--disallowed-tools")?.split(",")).not.toContain("write");
  });

  it("have no patterns that it does not keep to", () => {
    expect(refused({ allow: ["Bash(git *)"] })).toContain('the command pattern "git *"');
    expect(refused({ mode: "bypass", deny: ["run_terminal_command(rm *)"] })).toContain('the command pattern "rm *"');
    expect(refused({ allow: ["Edit(docs/*)"] })).toContain('the pattern "Edit(docs/*)"');
    expect(refused({ allow: ["Bash(*)"], deny: ["Read(x)"] })).toBe("");
  });

  it("for tools use the CLI's own names, because it offers all tools if it does not know one", () => {
    const { flag } = launch({ mode: "agent", permissions: { tools: ["run_terminal_command", "Read"] } });
    expect(flag("--tools")).toBe("run_terminal_cmd,read_file");
    expect(launch({ mode: "agent", permissions: { tools: [] } }).flag("--disallowed-tools")).toContain("read_file");
    for (const name of ["Nope", "constructor", "__proto__", "toString"])
      expect(refused({ tools: [name] })).toContain(`"${name}" is not a tool`);
  });

  it("in rules use the CLI's own names, because it ignores a rule for a name that it does not know", () => {
    const { args } = launch({ mode: "agent", permissions: { mode: "bypass", deny: ["run_terminal_command", "read_file(x)"] } });
    expect(rules(args, "--deny")).toEqual(["Bash", "Read(x)"]);
    for (const name of ["Shell", "bash", "constructor"]) {
      expect(refused({ deny: ["Bash", name] })).toContain(`"${name}" is not a tool`);
      expect(refused({ allow: [`${name}(x)`] })).toContain(`"${name}" is not a tool`);
    }
  });

  it("have no comma in a rule, because the CLI would split it there", () => {
    expect(refused({ deny: ["Bash(a,b)"] })).toContain("at its comma");
    expect(refused({ deny: ["Bash(a b)", "*"], allow: ["MCPTool"], tools: ["grep"] })).toBe("");
  });
});

function refused(permissions: Permissions): string {
  return refuseForGrok({ prompt: "hi", mode: "agent", permissions })?.message ?? "";
}

it("sessions, limits and efforts have flags, and the effort max becomes the CLI's highest", () => {
  expect(launch({ session: { id: SESSION } }).flag("--session-id")).toBe(SESSION);
  expect(launch({ session: { resume: SESSION } }).flag("--resume")).toBe(SESSION);
  expect(launch({ session: { fork: SESSION } }).args).toEqual(expect.arrayContaining(["--resume", SESSION, "--fork-session"]));
  expect(launch({ effort: "max" }).flag("--reasoning-effort")).toBe("xhigh");
  const { env } = launchGrok({ prompt: "hi", maxOutputTokens: 7 }, { answersPermissions: false });
  expect(JSON.parse(env?.["GROK_CONFIG"] ?? "")).toEqual({ models: { max_completion_tokens: 7 } });
});

it("a completion with host tools has the server in its agent's file, and nothing but the tools for servers", () => {
  const server = { type: "http", url: "http://127.0.0.1:1/x", headers: { Authorization: "Bearer secret" } } as const;
  const { args, files, flag } = launch({ mcpServers: { host: server }, hostServer: "host", nativeTools: [{ name: "look" }] });
  expect(files["agent.md"]).toContain(`\nmcpServers: [{"host":${JSON.stringify({ ...server, tool_timeout_sec: 86_400 })}}]\n`);
  expect(flag("--tools")).toBe("search_tool,use_tool");
  expect(args.filter((_, index) => args[index - 1] === "--deny")).toEqual(
    expect.arrayContaining(["Bash", "Read(**)", "Edit", "Write", "Grep", "WebFetch"]),
  );
  expect(JSON.stringify(args)).not.toContain("secret");
});

it("accept-edits is refused, because the tools write everywhere", () => {
  const refusal = refuseForGrok({ prompt: "hi", mode: "agent", permissions: { mode: "accept-edits" } });
  expect(refusal).toMatchObject({ code: "option-unsupported", message: expect.stringContaining("accept-edits") });
  expect(refuseForGrok({ prompt: "hi", mode: "agent", permissions: { allow: ["Edit", "Write"] } })).toBeUndefined();
});
