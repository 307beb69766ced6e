import { expect, it } from "vitest";
import type { TurnContext } from "../../spec/wire/define-wire.ts";
import { codexExec } from "./exec.ts";

it("a command that the sandbox stops is a denial, and the same output in bypass mode is not", () => {
  const denials = (context: TurnContext, output: string, exit_code = 1): number => {
    const status = exit_code === 0 ? "completed" : "failed";
    const item = { id: "item_0", type: "command_execution", command: "x", aggregated_output: output, exit_code, status };
    const { events } = codexExec.start(context).step({ type: "item.completed", item });
    return events.filter(({ type }) => type === "permission-denied").length;
  };
  const stopped = "touch: cannot touch 'x': Read-only file system\n";
  expect(denials({ permissionMode: "default" }, stopped)).toBe(1);
  expect(denials({ permissionMode: "accept-edits" }, `one\n${stopped}two\n`)).toBe(1);
  expect(denials({ permissionMode: "bypass" }, stopped)).toBe(0);
  expect(denials({}, stopped)).toBe(0);
  expect(denials({ permissionMode: "default" }, stopped, 0)).toBe(0);
  expect(denials({ permissionMode: "default" }, "The Read-only file system is mounted.\n")).toBe(0);
});
