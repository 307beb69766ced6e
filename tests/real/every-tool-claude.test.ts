import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SessionChoice } from "../../src/spec/request.ts";
import type { PermissionQuestion } from "../../src/spec/stream.ts";
import { agentRequest, DONE } from "../support/real-clis/agent-request.ts";
import { describeEveryTool, READING } from "./every-tool/describe-every-tool.ts";
import { runEveryCall } from "./every-tool/run-every-call.ts";
import { eventsOf, type RealRun } from "./open-real-cli.ts";
import { isWarm, openWarm } from "./open-warm.ts";

// All ten are in tests/real/nightly, for both versions.
describeEveryTool(
  "claude",
  [0, 4, 8, 9].flatMap((index) => READING[index] ?? []),
);
describeEveryTool("glm", [{ mode: "plan" }]);

describe("tools of claude with lasting effects", () => {
  it("are questions to a host that answers, and a denied one does not run", async () => {
    const questions: PermissionQuestion[] = [];
    const onPermission = (question: PermissionQuestion) => {
      questions.push(question);
      return { behavior: "deny", message: "No." } as const;
    };
    const { changed } = await runEveryCall("claude", {}, { onPermission });
    expect(changed).toEqual([]);
    const lasting = ["Agent", "CronCreate", "EnterWorktree", "ScheduleWakeup", "SendMessage", "Workflow"];
    expect(lasting.filter((tool) => !questions.some(({ name }) => name === tool))).toEqual([]);
  });

  it("are denied in each turn of a session, also if its process was kept", async () => {
    const call = { name: "CronCreate", input: { cron: "* * * * *", prompt: "x", recurring: true, durable: true } };
    const load = { name: "ToolSearch", input: { query: "select:CronCreate", max_results: 1 } };
    const turn = [{ kind: "tool-calls", calls: [load] } as const, { kind: "tool-calls", calls: [call] } as const, DONE];
    const { cli, client } = await openWarm("claude", [...turn, ...turn]);
    const ask = async (session: SessionChoice): Promise<RealRun> =>
      await cli.run(agentRequest(cli, { session, permissions: { mode: "plan" } }), { client, context: { keepsProcess: true } });
    const first = await ask({ keep: true });
    const second = await ask({ resume: eventsOf(first, "session-start")[0]?.sessionId ?? "" });
    expect([first, second].map(({ result }) => result.permissionDenials.map(({ name }) => name))).toEqual([
      ["CronCreate"],
      ["CronCreate"],
    ]);
    expect(isWarm(second)).toBe(true);
    expect(readdirSync(cli.workspace)).toEqual(["package.json"]);
  });

  it("run if the request allows them, and accept-edits allows edits alone", async () => {
    const { changed } = await runEveryCall("claude", { mode: "accept-edits", allow: ["CronCreate"] });
    const kinds = ["workspace/.claude/scheduled_tasks.json", "workspace/made-by-write", "workspace/.git/worktrees"];
    expect(kinds.map((path) => changed.includes(path))).toEqual([true, true, false]);
  });
});
