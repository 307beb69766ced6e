import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PermissionAnswer, PermissionQuestion } from "../../src/spec/stream.ts";
import { cox } from "../support/cox/start-cox.ts";
import { startInTerminal } from "../support/cox/start-terminal.ts";
import { AGENT_TARGETS, agentRequest, DONE, shellCalls } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun } from "./open-real-cli.ts";

const TOUCH = "touch made.txt";

describe("permissions of real claude", () => {
  it("a command without permission is denied, reported and listed, and the run continues", async () => {
    const cli = await openRealCli("claude", shellCalls("claude", TOUCH));
    const run = await cli.run(agentRequest(cli));
    expect(madeIn(cli)).toEqual([]);
    expect(run.result).toMatchObject({ text: "Done.", finish: "stop", toolCalls: [{ name: "Bash", isError: true }] });
    const denial = { id: run.result.toolCalls[0]?.id, name: "Bash", input: { command: TOUCH } };
    expect(eventsOf(run, "permission-denied")).toMatchObject([denial]);
    expect(run.result.permissionDenials).toMatchObject([denial]);
  });

  it("a deny pattern holds even if all permissions are bypassed", async () => {
    const cli = await openRealCli("claude", shellCalls("claude", TOUCH, "touch other.txt"));
    await cli.run(agentRequest(cli, { permissions: { mode: "bypass", deny: [`Bash(${TOUCH})`] } }));
    expect(madeIn(cli)).toEqual(["other.txt"]);
  });

  it("only the named tools exist", async () => {
    const cli = await openRealCli("claude", DONE);
    const run = await cli.run(agentRequest(cli, { permissions: { tools: ["Read", "Write"] } }));
    expect(modelRequestsOf(cli)[0]?.tools).toEqual(["Read", "Write"]);
    expect(eventsOf(run, "session-start")).toMatchObject([{ tools: ["Read", "Write"] }]);
  });

  it("bypassing permissions together with allow patterns is refused before a process is started", async () => {
    const cli = await openRealCli("claude", shellCalls("claude", TOUCH));
    const run = await cli.run(agentRequest(cli, { permissions: { mode: "bypass", allow: ["Bash(git *)"] } }));
    expect(run.failure).toMatchObject({ category: "validation", code: "options-conflict" });
    expect(run.events.map((event) => event.type)).toEqual(["run-start", "run-end"]);
    expect(cli.api.requests).toEqual([]);
  });
});

describe("real claude asks its host", () => {
  it("claude runs the command that its host allows", async () => {
    const { cli, run, questions } = await ask({ behavior: "allow" });
    expect(madeIn(cli)).toEqual(["made.txt"]);
    expect(questions).toMatchObject([{ name: "Bash", input: { command: TOUCH } }]);
    expect(eventsOf(run, "permission-request")).toMatchObject([
      { requestId: questions[0]?.requestId, id: eventsOf(run, "tool-start")[0]?.id, name: "Bash", input: { command: TOUCH } },
    ]);
    expect(run.result).toMatchObject({ text: "Done.", permissionDenials: [], toolCalls: [{ isError: false }] });
  });

  it("claude reports the host's reason for a denial to the model", async () => {
    const { cli, run } = await ask({ behavior: "deny", message: "Not on a Sunday." });
    expect(madeIn(cli)).toEqual([]);
    expect(run.result.toolCalls).toMatchObject([{ output: "Not on a Sunday.", isError: true }]);
    expect(run.result.permissionDenials).toMatchObject([{ name: "Bash", input: { command: TOUCH } }]);
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("Not on a Sunday.");
  });

  it("claude runs the command as its host changed it", async () => {
    const { cli, run } = await ask({ behavior: "allow", updatedInput: { command: "touch changed.txt; echo changed" } });
    expect(madeIn(cli)).toEqual(["changed.txt"]);
    expect(run.result.toolCalls).toMatchObject([{ output: "changed", isError: false }]);
  });

  it("a command is denied when the host cannot decide", async () => {
    const { cli, run } = await ask(() => Promise.reject(new Error("The person has left.")));
    expect(madeIn(cli)).toEqual([]);
    expect(run.result.permissionDenials).toHaveLength(1);
    expect(run.result.text).toBe("Done.");
  });
});

describe("cox on a terminal", () => {
  it.each([
    { answer: "y", made: ["made.txt"] },
    { answer: "n", made: [] },
  ])("asks the person whether claude may run the command, and claude follows the answer $answer", async ({ answer, made }) => {
    const cli = await openRealCli("claude", shellCalls("claude", TOUCH));
    const args = ["ask", "--provider", "claude", "--agent", "--cwd", cli.workspace, "Make a file."];
    const terminal = startInTerminal(args, { env: cli.env, form: "source" });
    await terminal.until((stdout) => stdout.includes("a = all touch commands in this run; then Enter: "));
    terminal.write(`${answer}\n`);
    const { stdout, exitCode } = await terminal.ended;
    expect(stdout).toContain(`command: ${TOUCH}`);
    expect(stdout).toContain("Done.");
    expect([madeIn(cli), exitCode]).toEqual([made, 0]);
  });
});

describe("the advice of cox about a denied command", () => {
  it("allows this command of claude, and no other", async () => {
    const other = "touch made.txt other.txt";
    const cli = await openRealCli("claude");
    const ask = async (...more: readonly string[]) => {
      cli.api.answerWith(shellCalls("claude", TOUCH, other));
      return await cox(["ask", "-p", "claude", "--agent", "--cwd", cli.workspace, ...more, "Go."], { env: cli.env });
    };
    const { stderr } = await ask();
    const advice = [...stderr.matchAll(/To allow this command: --allow-tool '(.*)'/g)].map(([, pattern]) => pattern ?? "");
    expect([advice, madeIn(cli)]).toEqual([[`Bash(${TOUCH})`, `Bash(${other})`], []]);
    await ask("--allow-tool", advice[0] ?? "");
    expect(madeIn(cli)).toEqual(["made.txt"]);
  });
});

describe("permissions of real codex", () => {
  const target = AGENT_TARGETS.codex;

  it("the sandbox prevents an agent without further permission from writing, and the tool reports it", async () => {
    // A denial right at the start of a command gives no event in 0.166.0, hence the wait.
    const cli = await openRealCli("codex", shellCalls("codex", `sleep 1; ${TOUCH}`));
    const run = await cli.run(agentRequest(cli), { target });
    expect(madeIn(cli)).toEqual([]);
    expect(run.result).toMatchObject({ text: "Done.", toolCalls: [{ name: "command_execution", isError: true }] });
    expect(run.result.toolCalls[0]?.output).toContain("Read-only file system");
    expect(run.result.permissionDenials).toMatchObject([{ id: run.result.toolCalls[0]?.id, name: "command_execution" }]);
  });

  it("an additional directory is readable, and denials cannot fail the run, because codex does not report them all", async () => {
    const outside = mkdtempSync("/var/tmp/coxswain-outside-");
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    writeFileSync(join(outside, "notes.txt"), "The words of a further directory.\n");
    const cli = await openRealCli("codex", shellCalls("codex", `cat ${outside}/notes.txt`));
    await cli.run(agentRequest(cli, { addDirs: [outside] }), { target });
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("The words of a further directory.");
    const refused = await cli.run(agentRequest(cli, { onPermissionDenied: "error" }), { target });
    expect(refused.failure).toMatchObject({ code: "option-unsupported" });
  });

  it.each(["default", "plan", "dont-ask"] as const)(
    "in mode %s nothing is written and the model gets the error",
    async (mode) => {
      const cli = await openRealCli("codex", shellCalls("codex", TOUCH));
      const run = await cli.run(agentRequest(cli, { permissions: { mode } }), { target });
      expect(madeIn(cli)).toEqual([]);
      expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("Read-only file system");
      expect(run.result.text).toBe("Done.");
    },
  );

  it("accept-edits allows writing in the workspace, and bypass outside of it too", async () => {
    // Codex also allows an agent that may edit to write below /tmp.
    const outside = mkdtempSync("/var/tmp/coxswain-outside-");
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const cli = await openRealCli("codex", shellCalls("codex", TOUCH, `touch ${outside}/made.txt`));
    await cli.run(agentRequest(cli, { permissions: { mode: "accept-edits" } }), { target });
    expect([madeIn(cli), readdirSync(outside)]).toEqual([["made.txt"], []]);
    cli.api.answerWith(shellCalls("codex", `touch ${outside}/made.txt`));
    await cli.run(agentRequest(cli, { permissions: { mode: "bypass" } }), { target });
    expect(readdirSync(outside)).toEqual(["made.txt"]);
  });

  it("a patch is refused if writing is not allowed", async () => {
    const patch = "*** Begin Patch\n*** Add File: made.txt\n+text\n*** End Patch\n";
    const cli = await openRealCli("codex", [{ kind: "tool-calls", calls: [{ name: "apply_patch", input: patch }] }, DONE]);
    const run = await cli.run(agentRequest(cli), { target });
    expect([madeIn(cli), eventsOf(run, "file-change")]).toEqual([[], []]);
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("patch rejected");
  });
});

type Asked = { readonly cli: OpenRealCli; readonly run: RealRun; readonly questions: readonly PermissionQuestion[] };

async function ask(answer: PermissionAnswer | (() => Promise<PermissionAnswer>)): Promise<Asked> {
  const cli = await openRealCli("claude", shellCalls("claude", TOUCH));
  const questions: PermissionQuestion[] = [];
  const onPermission = (question: PermissionQuestion): PermissionAnswer | Promise<PermissionAnswer> => {
    questions.push(question);
    return typeof answer === "function" ? answer() : answer;
  };
  return { cli, run: await cli.run(agentRequest(cli), { context: { onPermission } }), questions };
}

/** The files that did not exist before. */
function madeIn(cli: OpenRealCli): readonly string[] {
  return readdirSync(cli.workspace).filter((file) => file !== "package.json");
}
