import { expect, it } from "vitest";
import { toGeminiFault } from "./read-fault.ts";

it.each([
  ["Your quota will reset after 18h30m12s.", 66_612_000],
  ["Please retry in 2.1s.", 2_100],
  ["Suggested retry after 59m.", 3_540_000],
  ["Please retry in 2.123456789012345678s.", 2_124],
])("%j states a wait of %i ms", (message, retryAfterMs) => {
  expect(toGeminiFault(message)).toEqual({ message, retryAfterMs });
});

it.each([
  `Your quota will reset after ${"9".repeat(18)}h.`,
  `Your quota will reset after ${"9".repeat(400)}h.`,
  `Please retry in ${"9".repeat(400)}s.`,
  "Please retry in 0s.",
])("%j states no usable wait", (message) => {
  expect(toGeminiFault(message)).toEqual({ message });
});
