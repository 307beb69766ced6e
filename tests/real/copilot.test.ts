import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { agentRequest, DONE, shellCall } from "../support/real-clis/agent-request.ts";
import { copilot } from "../support/real-clis/rows/copilot.ts";
import { describeCli } from "./matrix/describe-cli.ts";
import { openRealCli } from "./open-real-cli.ts";

describeCli(copilot);

it("an agent without a pattern for commands runs none, also not in a sub-agent or one that copilot takes for reading", async () => {
  const task = { name: "task", input: { agent_type: "general-purpose", description: "Works", prompt: "Work.", name: "worker" } };
  const commands = ["git branch made-1", "ls", "git branch made-2"].map((command) => shellCall("copilot", command));
  const [first, reading, last] = commands;
  const calls = [first, reading, task, last].flatMap((call) => call ?? []);
  const cli = await openRealCli("copilot", [...calls.map((call) => ({ kind: "tool-calls", calls: [call] }) as const), DONE]);
  plantRepository(cli.workspace);
  const run = await cli.run(agentRequest(cli, { permissions: { mode: "default" }, trustProject: true }));
  expect(readdirSync(join(cli.workspace, ".git/refs/heads"))).toEqual(["main"]);
  expect(run.result.permissionDenials.map(({ input }) => input)).toEqual(commands.map(({ input }) => input));
});

it("accept-edits changes files of the workspace, and none of git, of the temporary directory or outside, also by a link", async () => {
  const cli = await openRealCli("copilot");
  const [root, temporary = ""] = [dirname(cli.workspace), cli.env["TMPDIR"]];
  plantRepository(cli.workspace);
  mkdirSync(join(root, "outside"));
  symlinkSync(".git", join(cli.workspace, "to-git"));
  symlinkSync("../outside", join(cli.workspace, "to-outside"));
  const places = [".git", "to-git", "to-outside", "../outside"].map((folder) => join(cli.workspace, folder, "made"));
  const calls = [join(cli.workspace, "made"), join(temporary, "made"), ...places].map(
    (path) => ({ name: "create", input: { path, file_text: "x" } }) as const,
  );
  cli.api.answerWith([{ kind: "tool-calls", calls }, DONE]);
  const run = await cli.run(agentRequest(cli, { permissions: { mode: "accept-edits" } }));
  const made = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => basename(path) === "made");
  expect(made).toEqual(["workspace/made"]);
  expect(run.result.permissionDenials).toHaveLength(calls.length - 1);
});

/** A repository with one commit. */
function plantRepository(folder: string): void {
  const git = (...args: readonly string[]): unknown => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  git("init", "--initial-branch", "main");
  git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--allow-empty", "--message", "x");
}
