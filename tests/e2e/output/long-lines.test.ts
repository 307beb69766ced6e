import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/index.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, says } from "../../support/clis/plays.ts";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { openTestScope } from "../../support/test-scope.ts";

const LIMIT = { limits: { lineBytes: 2000 } };
const LONG = "x".repeat(3000);
const NAMES_LIMIT = expect.stringMatching(
  /printed a line of \d{4} bytes and no other answer\. The line was dropped, because the limit is 2000 bytes \(limits\.lineBytes\)\./,
);
const FAILURE = {
  code: "output-truncated",
  message: NAMES_LIMIT,
  hint: "Raise limits.lineBytes of createClient, or ask for a shorter answer.",
};

it("an answer in a line over the limit is not asked for again, and the failure names the limit", async () => {
  const fleet = openFleet({
    a: [[{ events: [{ type: "text-delta", messageId: "message", text: LONG }], end: { finish: "stop" } }]],
  });
  const { failure, attempts, warnings } = await fleet.another(LIMIT).run("a", { prompt: "Go" }).outcome();
  expect(failure).toMatchObject(FAILURE);
  expect(attempts).toBeUndefined();
  expect(warnings).toEqual([{ code: "line-too-long", message: expect.stringContaining("the limit is 2000 bytes") }]);
  expect(fleet.starts("a")).toBe(1);
});

it("a line over the limit before an answer costs only the line", async () => {
  const fleet = openFleet({ a: [answers("Good.", { before: [says(LONG, "long")] })] });
  expect(await fleet.another(LIMIT).run("a", { prompt: "Go" }).result()).toMatchObject({ text: "Good." });
});

it("an answer of a resident process in a line over the limit is not asked for again", async () => {
  const { env } = openTestScope();
  const client = createClient({ ...LIMIT, env, providers: [rememberingProvider()] });
  onTestFinished(() => client.close());
  const stream = client.run({ provider: "bad", transport: "resident" }, { prompt: LONG }, { keepEvents: true });
  const { failure, events = [] } = await stream.outcome();
  expect(failure).toMatchObject(FAILURE);
  expect(eventsOf(events, "attempt-start")).toHaveLength(1);
});
