import { describe } from "vitest";
import { BRIDGE_ROWS, describeBridge, describeBridgedAgent } from "./matrix/describe-bridge.ts";

describe.each(BRIDGE_ROWS)("host tools of real $name by the bridge", (row) => {
  describeBridge(row);
  // nightly/opencode.test.ts has the agent of OpenCode.
  if (row.name !== "opencode") describeBridgedAgent(row);
});
