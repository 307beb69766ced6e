import { expect, test } from "vitest";
import { builtinProviders } from "../../src/clis/index.ts";
import { recordedCliCases, recordedClis } from "../support/recordings/recorded-clis.ts";

/** Providers without recordings of their own, and why. */
const unrecorded: Readonly<Record<string, string>> = {
  rehearsal: "it is our own program, which tests start",
  "ax-grok": "it is the program of ax-glm under another name",
};

// read-recorded-cases.ts throws for a folder of recordings without a provider.
test.for(builtinProviders.filter(({ id }) => unrecorded[id] === undefined))(
  "$id is tested with recordings of its CLI",
  ({ id }) => {
    const cases = recordedCliCases.filter(({ cli }) => cli === id);
    expect(cases.length, `${id} has no recordings: put some into fixtures/${id}/ as fixtures/README.md says`).toBeGreaterThan(0);
  },
);

test.for(recordedClis)("all recordings of $cli but one, or at least thirty, list all their events", ({ cli }) => {
  const cases = recordedCliCases.filter((recorded) => recorded.cli === cli);
  const complete = cases.filter(({ expected }) => expected.complete);
  const advice = `list all events of more recordings in fixtures/${cli}, with "complete": true`;
  expect(complete.length, advice).toBeGreaterThanOrEqual(Math.min(30, cases.length - 1));
});
