import type { FaultRule } from "../../spec/provider/provider.ts";

/** The error texts of the CLIs that print role messages; fixtures/ax-glm and grok-vibe. The shared rules read the HTTP statuses. */
export const ROLE_FAULTS: readonly FaultRule[] = [
  { kind: "max_tool_rounds", code: "turn-limit" },
  { kind: "shutdown", code: "interrupted" },
  { text: /currently overloaded/, code: "overloaded" },
  {
    text: /Cannot read properties of undefined \(reading '0'\)|response validation failed|No response from/,
    code: "upstream-garbled",
  },
  { text: /Interactive mode not supported/, code: "cli-misconfigured" },
];
