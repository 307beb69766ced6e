import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { PERMISSION_ROWS } from "../support/real-clis/permission-table.ts";
import { madeIn, plantHelper, SHELL_TRICKS } from "../support/real-clis/shell-tricks.ts";
import { openRealCli } from "./open-real-cli.ts";
import { describePermissions } from "./permissions/describe-permissions.ts";

it("each trick makes its file in a shell that nothing restricts", async () => {
  const cli = await openRealCli("claude");
  const env = { ...cli.env, ...plantHelper(cli) };
  const tricks = Object.values(SHELL_TRICKS).map((toCommand, index) => toCommand(`made-${index}`));
  for (const command of tricks) {
    try {
      execFileSync("bash", ["-c", command], { cwd: cli.workspace, env, stdio: "ignore" });
    } catch {
      // Some end with another exit code than 0.
    }
  }
  const made = madeIn(cli).filter((file) => file.startsWith("made-"));
  expect(made).toEqual(tricks.map((_, index) => `made-${index}`).toSorted());
});

// nightly/opencode.test.ts has the denials of OpenCode, and opencode.test.ts a command of its whole shell.
for (const row of Object.values(PERMISSION_ROWS)) describePermissions(row, { isSlow: row.name === "opencode" });
