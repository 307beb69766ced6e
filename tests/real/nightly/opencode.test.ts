import { describe } from "vitest";
import { PERMISSION_ROWS } from "../../support/real-clis/permission-table.ts";
import { BRIDGE_ROWS, describeBridgedAgent } from "../matrix/describe-bridge.ts";
import { describeDenial, describeWholeShell } from "../permissions/describe-permissions.ts";

// A start of OpenCode takes four seconds of processor time, so these of its tests run every night only.
describe("the slow tests of real opencode", () => {
  describeWholeShell(PERMISSION_ROWS.opencode);
  describeDenial(PERMISSION_ROWS.opencode);
  for (const row of BRIDGE_ROWS) if (row.name === "opencode") describeBridgedAgent(row);
});
