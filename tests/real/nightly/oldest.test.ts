import { it } from "vitest";
import { oldestClaude, oldestQwen } from "../clis/oldest.ts";
import { describeErrors, OTHER_ERRORS } from "../matrix/describe-errors.ts";
import { describePrivateArguments } from "../matrix/describe-private-arguments.ts";
import { describePurity } from "../matrix/describe-purity.ts";
import { describeSchemas } from "../matrix/describe-schemas.ts";
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
  describeErrors(row, OTHER_ERRORS);
  describeSessions(row);
  describePurity(row);
  describeStopping(row);
}

describePermissions(PERMISSION_ROWS.claude);
describePermissions(PERMISSION_ROWS.qwen);

describePrivateArguments("claude", "StructuredOutput");
describePrivateArguments("qwen", "structured_output");

describeSchemas({ name: "claude", answer: (input) => ({ kind: "tool-calls", calls: [{ name: "StructuredOutput", input }] }) });
describeSchemas({ name: "qwen", answer: (input) => ({ kind: "tool-calls", calls: [{ name: "structured_output", input }] }) });

it("the oldest claude and qwen are ended by our timeout while their tools run", async () => {
  await expectEndedByIdleClock(["claude", "qwen"]);
});

it("the oldest claude and qwen that cannot reach the model have a network failure", { timeout: 180_000 }, async () => {
  await expectUnreachable(["claude", "qwen"]);
});
