import { it } from "vitest";
import { oldestClaude, oldestQwen } from "../clis/oldest.ts";
import { describeErrors } from "../matrix/describe-errors.ts";
import { describePurity } from "../matrix/describe-purity.ts";
import { describeSessions } from "../matrix/describe-sessions.ts";
import { describeStopping } from "../matrix/describe-stopping.ts";
import { expectEndedByIdleClock } from "../matrix/expect-idle-clock.ts";
import { expectUnreachable } from "../matrix/expect-unreachable.ts";
import { describePermissions } from "../permissions/describe-permissions.ts";
import { PERMISSION_ROWS } from "../permissions/table.ts";
import { useOldest } from "../use-oldest.ts";

useOldest();

for (const row of [oldestClaude, oldestQwen]) {
  describeErrors(row);
  describeSessions(row);
  describePurity(row);
  describeStopping(row);
}

describePermissions(PERMISSION_ROWS.qwen);

it("the oldest claude and qwen are ended by our timeout while their tools run", async () => {
  await expectEndedByIdleClock(["claude", "qwen"]);
});

it("the oldest claude and qwen that cannot reach the model have a network failure", { timeout: 180_000 }, async () => {
  await expectUnreachable(["claude", "qwen"]);
});
