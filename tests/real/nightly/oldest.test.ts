import { it } from "vitest";
import { PERMISSION_ROWS } from "../../support/real-clis/permission-table.ts";
import { oldestClaude, oldestQwen } from "../../support/real-clis/rows/oldest.ts";
import { describeErrors } from "../matrix/describe-errors.ts";
import { describeObjects, describeTextTools } from "../matrix/describe-objects.ts";
import { describeNoOwnTools, describeOwnTools } from "../matrix/describe-own-tools.ts";
import { describeParked, PARKED_ROWS } from "../matrix/describe-parked.ts";
import { describePrivateArguments } from "../matrix/describe-private-arguments.ts";
import { describePurity } from "../matrix/describe-purity.ts";
import { describeSchemas, OTHER_SCHEMAS, SCHEMA_CLIS } from "../matrix/describe-schemas.ts";
import { describeSessions } from "../matrix/describe-sessions.ts";
import { describeKilledHost, describeStopping } from "../matrix/describe-stopping.ts";
import { expectEndedByIdleClock } from "../matrix/expect-idle-clock.ts";
import { expectUnreachable } from "../matrix/expect-unreachable.ts";
import { describePermissions } from "../permissions/describe-permissions.ts";
import { useOldest } from "../use-oldest.ts";

useOldest();

for (const row of [oldestClaude, oldestQwen]) {
  describeErrors(row);
  describeSessions(row);
  describePurity(row);
  describeStopping(row);
  describeKilledHost(row);
  describeObjects(row);
  describeTextTools(row);
  describeOwnTools(row);
  describeNoOwnTools(row);
}

describePermissions(PERMISSION_ROWS.claude);
describePermissions(PERMISSION_ROWS.qwen);

// With a proxy its host tools go by text: ../oldest.test.ts.
for (const row of PARKED_ROWS.filter(({ name }) => name === "qwen")) describeParked({ ...row, env: {} });

describePrivateArguments("claude", "StructuredOutput");
describePrivateArguments("qwen", "structured_output");

for (const cli of [SCHEMA_CLIS.claude, SCHEMA_CLIS.qwen]) {
  describeSchemas(cli);
  describeSchemas(cli, OTHER_SCHEMAS);
}

it("the oldest claude and qwen are ended by our timeout while their tools run", async () => {
  await expectEndedByIdleClock(["claude", "qwen"]);
});

it("the oldest claude and qwen that cannot reach the model have a network failure", { timeout: 180_000 }, async () => {
  await expectUnreachable(["claude", "qwen"]);
});
