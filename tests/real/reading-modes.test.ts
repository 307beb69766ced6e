import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { PermissionQuestion, RunContext } from "../../src/spec/stream.ts";
import type { FakeToolCall } from "../../src/testing/index.ts";
import { agentRequest, agentTargetOf, DONE, shellCall } from "../support/real-clis/agent-request.ts";
import { prepareRealCli, REAL_CLIS, type RealCli } from "../support/real-clis/real-cli.ts";

/** `dont-ask` starts both CLIs as `default` does. */
const READING = ["default", "plan"] as const;

describe("tools that write or change the mode by themselves", () => {
  it.each(READING)(
    "gemini in mode %s writes nothing, whatever plans its model approves and sub-agents it calls",
    async (mode) => {
      await using cli = await prepareRealCli("gemini");
      const before = treeOf(cli.workspace);
      const result = await callAll(cli, mode, geminiCalls(cli));
      expect([treeOf(cli.workspace), result.failure?.code]).toEqual([before, undefined]);
      expect(result.permissionDenials.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["run_shell_command", "write_file"]),
      );
    },
  );

  it.each([
    { name: "gemini", version: "newest" },
    { name: "qwen", version: "newest" },
    { name: "qwen", version: "oldest" },
  ] as const)("$version $name in mode accept-edits changes files of the workspace alone", async ({ name, version }) => {
    await using cli = await prepareRealCli(name, undefined, version === "oldest" ? join(REAL_CLIS, "oldest") : undefined);
    const outside = join(cli.workspace, "../outside");
    for (const folder of [outside, join(cli.workspace, ".git/hooks"), join(cli.workspace, "new")])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(outside, "notes"), "");
    symlinkSync(outside, join(cli.workspace, "link"));
    for (const target of ["notes", "made-by-a-link"]) symlinkSync(join(outside, target), join(cli.workspace, target));
    const beyond = [
      join(outside, "made"),
      "../outside/made",
      ...["link/made", "notes", "made-by-a-link", ".git/hooks/pre-commit"].map((path) => join(cli.workspace, path)),
    ];
    const [before, git] = [treeOf(outside), treeOf(join(cli.workspace, ".git"))];
    await callAll(cli, "accept-edits", [
      ...beyond.map(write),
      ...(name === "gemini" ? geminiCalls(cli) : [write(join(cli.workspace, "new/folder/before"))]),
    ]);
    expect([treeOf(outside), readFileSync(join(outside, "notes"), "utf8"), treeOf(join(cli.workspace, ".git"))]).toEqual([
      before,
      "",
      git,
    ]);
    const made = name === "gemini" ? ["after-the-plan", "before", "by-a-sub-agent", "plan.md"] : ["new/folder/before"];
    expect(made.filter((path) => !existsSync(join(cli.workspace, path)))).toEqual([]);
    expect(existsSync(join(cli.workspace, "by-a-command"))).toBe(false);
  });

  it("gemini asks a host that answers about changes of files too, and writes nothing that it denies", async () => {
    await using cli = await prepareRealCli("gemini");
    const before = treeOf(cli.workspace);
    const asked: string[] = [];
    const onPermission = ({ name }: PermissionQuestion) => {
      asked.push(name);
      return { behavior: "deny", message: "No." } as const;
    };
    await callAll(cli, "accept-edits", geminiCalls(cli), { onPermission });
    expect([treeOf(cli.workspace), new Set(asked)]).toEqual([before, new Set(["write_file", "run_shell_command"])]);
  });

  it.each([...READING.map((mode) => ({ mode, version: "newest" }) as const), { mode: "default", version: "oldest" } as const])(
    "$version qwen in mode $mode writes nothing by tools that ask no one",
    async ({ mode, version }) => {
      await using cli = await prepareRealCli("qwen", undefined, version === "oldest" ? join(REAL_CLIS, "oldest") : undefined);
      execFileSync("git", ["init", "-q", cli.workspace]);
      const author = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
      execFileSync("git", ["-C", cli.workspace, ...author, "commit", "-q", "--allow-empty", "-m", "x"]);
      const before = treeOf(cli.workspace);
      const result = await callAll(cli, mode, qwenCalls(cli));
      expect([treeOf(cli.workspace), result.failure?.code]).toEqual([before, undefined]);
      expect(result.permissionDenials.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["enter_worktree", "exit_plan_mode"]),
      );
    },
  );
});

/** The paths below a folder. */
function treeOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length)).toSorted();
}

async function callAll(
  cli: RealCli,
  mode: PermissionMode,
  calls: readonly FakeToolCall[],
  context: RunContext = {},
): Promise<RunResult> {
  cli.api.answerWith([...calls.map((call) => ({ kind: "tool-calls", calls: [call] }) as const), DONE]);
  return await cli.client.run(agentTargetOf(cli.name), agentRequest(cli, { permissions: { mode } }), context).outcome();
}

function write(path: string): FakeToolCall {
  return { name: "write_file", input: { file_path: path, content: "x\n" } };
}

/** A sub-agent makes the last two calls. */
function geminiCalls({ workspace }: RealCli): readonly FakeToolCall[] {
  return [
    write(join(workspace, "before")),
    write("plan.md"),
    { name: "exit_plan_mode", input: { plan_filename: "plan.md" } },
    { name: "enter_plan_mode", input: { reason: "x" } },
    write("plan.md"),
    { name: "exit_plan_mode", input: { plan_filename: "plan.md" } },
    write(join(workspace, "after-the-plan")),
    shellCall("gemini", "touch by-a-command"),
    { name: "invoke_agent", input: { agent_name: "generalist", prompt: "Work." } },
    write(join(workspace, "by-a-sub-agent")),
    { name: "complete_task", input: { result: "Done." } },
  ];
}

function qwenCalls({ workspace }: RealCli): readonly FakeToolCall[] {
  const worktree = { name: "enter_worktree", arguments: { name: "by-a-call" } };
  return [
    { name: "tool_search", input: { query: "select:enter_worktree,cron_create" } },
    { name: "enter_worktree", input: { name: "made" } },
    { name: "EnterWorktree", input: { name: "by-its-other-name" } },
    { name: "tool_call", input: worktree },
    { name: "enter_plan_mode", input: {} },
    { name: "exit_plan_mode", input: { plan: "Write." } },
    { name: "cron_create", input: { cron: "* * * * *", prompt: "Work.", durable: true } },
    { name: "monitor", input: { command: "touch by-a-monitor", description: "x" } },
    { name: "agent", input: { description: "x", prompt: "Work.", subagent_type: "general-purpose", isolation: "worktree" } },
    write(join(workspace, "made")),
    shellCall("qwen", "touch by-a-command"),
  ];
}
