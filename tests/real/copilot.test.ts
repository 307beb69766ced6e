import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentRequest, DONE, shellCall } from "./agent-request.ts";
import { copilot } from "./clis/copilot.ts";
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

/** A repository with one commit. */
function plantRepository(folder: string): void {
  const git = (...args: readonly string[]): unknown => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  git("init", "--initial-branch", "main");
  git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--allow-empty", "--message", "x");
}
