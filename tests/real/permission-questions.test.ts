import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionAnswer, PermissionQuestion } from "../../src/spec/stream.ts";
import { agentRequest, agentTargetOf, DONE, shellCall } from "../support/real-clis/agent-request.ts";
import { openRealCli } from "./open-real-cli.ts";

/** A command with a heredoc, a new file and a change of a file, as tools of the CLI, and what a question about each has to tell. */
const HEREDOC = "cat > here.txt <<'E'\nline one\nline two\nE\n";
const OLD = "alpha\nbeta\ngamma\n";
const NEW = "alpha\nBETA\nnew\ngamma\n";
const TOLD = {
  gemini: (workspace: string) => ({
    calls: [
      shellCall("gemini", HEREDOC),
      { name: "write_file", input: { file_path: join(workspace, "made.txt"), content: "one\ntwo\n" } },
      {
        name: "replace",
        input: { file_path: join(workspace, "old.txt"), instruction: "Change it", old_string: "beta", new_string: "BETA\nnew" },
      },
    ],
    questions: [
      { name: "run_shell_command", input: { command: HEREDOC } },
      { name: "write_file", input: { changes: [{ path: join(workspace, "made.txt"), oldText: "", newText: "one\ntwo\n" }] } },
      { name: "replace", input: { changes: [{ path: join(workspace, "old.txt"), oldText: OLD, newText: NEW }] } },
    ],
  }),
  qwen: (workspace: string) => ({
    calls: [
      shellCall("qwen", HEREDOC),
      { name: "write_file", input: { file_path: join(workspace, "made.txt"), content: "one\ntwo\n" } },
    ],
    questions: [
      { name: "run_shell_command", input: { command: HEREDOC } },
      { name: "write_file", input: { file_path: join(workspace, "made.txt"), content: "one\ntwo\n" } },
    ],
  }),
  codex: (workspace: string) => ({
    calls: [
      { name: "exec_command", input: { cmd: HEREDOC, sandbox_permissions: "require_escalated", justification: "May I?" } },
      {
        name: "apply_patch",
        input:
          "*** Begin Patch\n*** Add File: made.txt\n+one\n+two\n*** Update File: old.txt\n@@\n alpha\n-beta\n+BETA\n+new\n gamma\n*** End Patch\n",
      },
    ],
    questions: [
      { name: "command_execution", input: { command: expect.stringContaining("line one\nline two\n"), reason: "May I?" } },
      {
        name: "file_change",
        input: {
          changes: [
            { path: join(workspace, "made.txt"), kind: "add", diff: "one\ntwo\n" },
            { path: join(workspace, "old.txt"), kind: "update", diff: expect.stringContaining("-beta\n+BETA\n+new\n") },
          ],
        },
      },
    ],
  }),
} as const;

describe("what a host is told before it allows a call", () => {
  it.each(["gemini", "qwen", "codex"] as const)(
    "%s tells the command, the lines of a new file and the change of a file",
    async (name) => {
      const cli = await openRealCli(name);
      writeFileSync(join(cli.workspace, "old.txt"), OLD);
      const { calls, questions } = TOLD[name](cli.workspace);
      cli.api.answerWith([...calls.map((call) => ({ kind: "tool-calls", calls: [call] }) as const), DONE]);
      const asked: PermissionQuestion[] = [];
      const onPermission = (question: PermissionQuestion): PermissionAnswer => {
        asked.push(question);
        return { behavior: "allow" };
      };
      const run = await cli.run(agentRequest(cli), { context: { onPermission }, target: agentTargetOf(name) });
      expect(asked).toMatchObject(questions);
      expect(asked.filter((question) => "isDescription" in question)).toEqual([]);
      expect(run.result.toolCalls).toMatchObject(questions.map(({ name: tool }) => ({ name: tool, isError: false })));
      expect(readFileSync(join(cli.workspace, "here.txt"), "utf8")).toBe("line one\nline two\n");
      expect(readFileSync(join(cli.workspace, "made.txt"), "utf8")).toBe("one\ntwo\n");
      if (name !== "qwen") expect(readFileSync(join(cli.workspace, "old.txt"), "utf8")).toBe(NEW);
    },
  );

  it("gemini tells only its words about a web page, and the question says so", async () => {
    const prompt = `Summarize https://example.com/ and ${"x".repeat(200)}`;
    const cli = await openRealCli("gemini", [{ kind: "tool-calls", calls: [{ name: "web_fetch", input: { prompt } }] }, DONE]);
    const asked: PermissionQuestion[] = [];
    const onPermission = (question: PermissionQuestion): PermissionAnswer => {
      asked.push(question);
      return { behavior: "deny", message: "No." };
    };
    await cli.run(agentRequest(cli), { context: { onPermission } });
    expect(asked).toMatchObject([
      { name: "web_fetch", input: { title: expect.stringContaining("https://example.com/") }, isDescription: true },
    ]);
  });
});
