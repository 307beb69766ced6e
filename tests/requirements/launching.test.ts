import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { type LaunchPlan, pathOf } from "../../src/spec/provider/cli-data.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import { installClaude } from "./claude-on-path.ts";

const SESSION = "11111111-1111-4111-8111-111111111111";
const WORKSPACE = tmpdir();

/** Requests that differ in every field that changes the arguments. */
const requests: readonly { readonly name: string; readonly request: RunRequest }[] = [
  { name: "a completion", request: { prompt: "Hi" } },
  { name: "a completion with a system prompt", request: { prompt: "Hi", system: "Be brief." } },
  { name: "a completion with a schema", request: { prompt: "Hi", outputSchema: { type: "object" } } },
  { name: "a resumed completion", request: { prompt: "Hi", session: { resume: SESSION } } },
  { name: "an agent", request: { prompt: "Hi", mode: "agent", cwd: WORKSPACE } },
  { name: "a resumed agent", request: { prompt: "Hi", mode: "agent", cwd: WORKSPACE, session: { resume: SESSION } } },
  { name: "an agent with MCP servers", request: { prompt: "Hi", mode: "agent", mcpServers: { notes: { command: "notes" } } } },
  { name: "an agent without limits", request: { prompt: "Hi", mode: "agent", permissions: { mode: "bypass" } } },
];

describe("every launch of Claude", () => {
  test("R151 every launch asks for stream-json together with --verbose", () => {
    for (const { name, request } of requests) {
      const { args } = planOf(request);
      expect(valueAfter(args, "--output-format"), name).toBe("stream-json");
      expect(args, name).toContain("--verbose");
    }
  });

  test("R163 every launch has -p, and the prompt is on stdin", () => {
    for (const { name, request } of requests) {
      const { args, stdin } = planOf(request);
      expect(args, name).toContain("-p");
      expect(stdin.text, name).toContain('"Hi"');
    }
  });

  test("R163 the program has no terminal on any of its three streams", async () => {
    expect(await installClaude().ask({ prompt: "Hi" })).toMatchObject({ isTerminal: false });
  });

  test("R177 R191 every launch streams in both directions, verbosely and in pieces, by default", () => {
    for (const { name, request } of requests) {
      const { args } = planOf(request);
      expect(valueAfter(args, "--output-format"), name).toBe("stream-json");
      expect(valueAfter(args, "--input-format"), name).toBe("stream-json");
      expect(args, name).toEqual(expect.arrayContaining(["--verbose", "--include-partial-messages"]));
    }
  });
});

describe("the system prompt", () => {
  test("R150 the system prompt replaces the CLI's own unless the request appends it", () => {
    const { args, tempFiles } = planOf({ prompt: "Hi", system: "You are Bob." });
    const file = tempFiles.find(({ content }) => content === "You are Bob.");
    expect(valueAfter(args, "--system-prompt-file")).toBe(file && pathOf(file));
    expect(args).not.toContain("--append-system-prompt-file");
  });

  test.for(["completion", "agent"] as const)(
    "R150 the system prompt is added to the CLI's own on request, in %s mode",
    (mode) => {
      const { args, tempFiles } = planOf({ prompt: "Hi", mode, system: "Mind the tests.", systemMode: "append" });
      const file = tempFiles.find(({ content }) => content === "Mind the tests.");
      expect(valueAfter(args, "--append-system-prompt-file")).toBe(file && pathOf(file));
      expect(args).not.toContain("--system-prompt-file");
    },
  );

  test.for([
    { systemMode: "replace", flag: "--system-prompt-file" },
    { systemMode: "append", flag: "--append-system-prompt-file" },
  ] as const)("R150 a system prompt of any length goes by file, to $systemMode", async ({ systemMode, flag }) => {
    const system = "Be brief. ".repeat(20_000);
    const seen = await installClaude().ask({ prompt: "Hi", system, systemMode });
    expect(seen.files[flag]?.content === system).toBe(true);
    expect(Math.max(...seen.argv.map((argument) => argument.length))).toBeLessThan(1_000);
  });

  test("R149 a resumed session is given its system prompt again, because the CLI does not keep it", () => {
    const started = planOf({ prompt: "Hi", system: "You are Bob.", session: { id: SESSION } });
    const resumed = planOf({ prompt: "Hi", system: "You are Bob.", session: { resume: SESSION } });
    expect(valueAfter(resumed.args, "--resume")).toBe(SESSION);
    expect(resumed.args).not.toContain("--session-id");
    const withoutSession = ({ args }: LaunchPlan, flag: string): readonly string[] => args.toSpliced(args.indexOf(flag), 2);
    expect(withoutSession(resumed, "--resume")).toEqual(withoutSession(started, "--session-id"));
    expect(valueAfter(resumed.args, "--system-prompt-file")).toBe(valueAfter(started.args, "--system-prompt-file"));
    expect(resumed.tempFiles).toContainEqual({ name: "system-prompt.txt", content: "You are Bob." });
  });

  test("R149 a resumed agent without a system prompt keeps the CLI's own", () => {
    const { args } = planOf({ prompt: "Hi", mode: "agent", cwd: WORKSPACE, session: { resume: SESSION } });
    expect(args.filter((argument) => argument.includes("system-prompt"))).toEqual([]);
  });
});

describe("an agent's workspace and permissions", () => {
  test("R155 every directory given follows --add-dir, and nothing else is taken for one", () => {
    const addDirs = [tmpdir(), import.meta.dirname];
    const { args } = planOf({ prompt: "Hi", mode: "agent", addDirs });
    const from = args.indexOf("--add-dir") + 1;
    expect(args.slice(from, from + 2)).toEqual(addDirs);
    expect(args[from + 2]).toMatch(/^--/);
  });

  test("R155 a directory that is not there is refused, because the CLI would ignore it", () => {
    const request = { prompt: "Hi", mode: "agent", addDirs: [`${WORKSPACE}/no-such-directory`] } as const;
    expect(installClaude().client.plan("claude", request)).toMatchObject({ failure: { code: "cwd-unusable" } });
  });

  test("R176 MCP servers, skipped permissions and the list of tools are options of a call", async () => {
    const mcpServers = { notes: { command: "notes-server", args: ["--quiet"] } };
    const permissions = { mode: "bypass", tools: ["Bash", "Read"] } as const;
    const { argv, files } = await installClaude().ask({ prompt: "Hi", mode: "agent", mcpServers, permissions });
    expect(valueAfter(argv, "--tools")).toBe("Bash,Read");
    expect(valueAfter(argv, "--permission-mode")).toBe("bypassPermissions");
    expect(JSON.parse(files["--mcp-config"]?.content ?? "")).toEqual({ mcpServers });
  });

  test("R147 allow patterns go with a mode in which they hold, and the message is no argument", () => {
    const permissions = { mode: "dont-ask", tools: ["Bash"], allow: ["Bash(file-tools *)"] } as const;
    const { args } = planOf({ prompt: "- first item", system: "S", mode: "agent", addDirs: [WORKSPACE], permissions });
    expect(valueAfter(args, "--permission-mode")).toBe("dontAsk");
    expect(valueAfter(args, "--tools")).toBe("Bash");
    expect(valueAfter(args, "--allowedTools")).toBe("Bash(file-tools *)");
    expect(args).not.toContain("bypassPermissions");
    expect(args).not.toContain("- first item");
  });

  test("R147 allow patterns together with bypassed permissions are refused with an explanation", () => {
    const permissions = { mode: "bypass", allow: ["Bash(file-tools *)"] } as const;
    const outcome = installClaude().client.plan("claude", { prompt: "Hi", mode: "agent", permissions });
    expect(outcome).toMatchObject({
      failure: {
        code: "options-conflict",
        message: expect.stringContaining("allow patterns have no effect"),
        hint: expect.stringMatching(/dont-ask/),
      },
    });
  });
});

function planOf(request: RunRequest, target: string | Target = "claude"): LaunchPlan {
  const outcome = installClaude().client.plan(target, request);
  if ("failure" in outcome) throw new Error(outcome.failure.message);
  return outcome.plan;
}

function valueAfter(args: readonly string[], flag: string): string | undefined {
  return args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
}
