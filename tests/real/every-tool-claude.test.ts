import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../src/spec/stream.ts";
import { describeEveryTool, READING } from "./every-tool/describe-every-tool.ts";
import { runEveryCall } from "./every-tool/run-every-call.ts";

describeEveryTool("claude", READING);
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

  it("run if the request allows them, and accept-edits allows edits alone", async () => {
    const { changed } = await runEveryCall("claude", { mode: "accept-edits", allow: ["CronCreate"] });
    const kinds = ["workspace/.claude/scheduled_tasks.json", "workspace/made-by-write", "workspace/.git/worktrees"];
    expect(kinds.map((path) => changed.includes(path))).toEqual([true, true, false]);
  });
});
