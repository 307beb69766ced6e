import { describe, expect, it } from "vitest";
import { classOf, presentName } from "../../../src/dialects/claude/claude-tools.ts";
import type { Permissions } from "../../../src/spec/request.ts";
import { everyCall } from "./claude-calls.ts";
import { runEveryCall } from "./run-every-call.ts";

const DENY = ["Write", "Edit", "Bash"];
const TOOLS = ["Read", "Agent", "ToolSearch"];

/** The reading modes, alone, with denied tools and with a list of tools; and `bypass` without what writes. */
export const READING: readonly Permissions[] = [
  ...(["default", "plan", "dont-ask"] as const).flatMap((mode) => [{ mode }, { mode, deny: DENY }, { mode, tools: TOOLS }]),
  { mode: "bypass", deny: DENY },
];

/** Calls every tool of Claude Code in each mode and compares the disk. */
export function describeEveryTool(name: "claude" | "glm", permissions: readonly Permissions[]): void {
  describe(`every tool of ${name}`, () => {
    it.each(permissions.map((given) => ({ given, title: JSON.stringify(given) })))(
      "changes nothing on the disk with $title",
      async ({ given }) => {
        const { result, changed, offered } = await runEveryCall(name, given);
        expect([result.failure, changed]).toEqual([undefined, []]);
        const called = new Set(["ToolSearch", ...everyCall("").map((call) => presentName(call.name))]);
        expect(offered.map(presentName).filter((tool) => !called.has(tool) || classOf(tool) === undefined)).toEqual([]);
        const denied = new Set(result.permissionDenials.map((denial) => presentName(denial.name)));
        expect(
          given.tools === undefined ? ["CronCreate", "EnterWorktree", "Agent"].filter((tool) => !denied.has(tool)) : [],
        ).toEqual([]);
      },
    );
  });
}
