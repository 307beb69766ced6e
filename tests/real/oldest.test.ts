import { join } from "node:path";
import { expect, it } from "vitest";
import { oldestClaude, oldestQwen } from "./clis/oldest.ts";
import { describeAnswers } from "./matrix/describe-answers.ts";
import { describeErrors } from "./matrix/describe-errors.ts";
import { describeObjects } from "./matrix/describe-objects.ts";
import { describeOwnTools } from "./matrix/describe-own-tools.ts";
import { describePurity } from "./matrix/describe-purity.ts";
import { describeSessions } from "./matrix/describe-sessions.ts";
import { describeStopping } from "./matrix/describe-stopping.ts";
import { openRealCli } from "./open-real-cli.ts";
import pins from "./pinned-clis.json" with { type: "json" };
import { REAL_CLIS } from "./real-cli.ts";

// A smoke set on the oldest versions that are still supported; every test of this file uses them.
process.env["COXSWAIN_REAL_CLIS"] = ["claude", "qwen"].map((name) => `${name}=${join(REAL_CLIS, "oldest")}`).join(",");

it.each(["claude", "qwen"] as const)("the oldest %s that is supported is installed here, and is proven", async (name) => {
  const cli = await openRealCli(name);
  const { version, warnings } = await cli.client.validateEnvironment(name, { timeoutMs: 60_000 });
  expect([version, warnings]).toEqual([pins[name].oldest, []]);
  expect(cli.provider.versionsChecked?.oldest).toBe(pins[name].oldest);
});

for (const row of [oldestClaude, oldestQwen]) {
  describeAnswers(row);
  describeErrors(row);
  describeObjects(row);
  describeOwnTools(row);
  describeSessions(row);
  describePurity(row);
  describeStopping(row);
}
