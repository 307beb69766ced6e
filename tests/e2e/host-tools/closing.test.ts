import { expect, test } from "vitest";
import { createClient } from "../../../src/client.ts";
import { RunError } from "../../../src/spec/failure/run-error.ts";

const tools = [{ name: "look" }];

test("a run with tools that was asked for right before close is cancelled, and nothing is started afterwards", async () => {
  const client = createClient();
  const run = client.run("rehearsal/tool-caller", { prompt: "Please look.", tools }, { keepEvents: true });
  await client.close();
  const error: unknown = await run.result().catch((reason: unknown) => reason);
  expect(RunError.is(error) && error.failure.code).toBe("interrupted");
  expect(RunError.is(error) && error.result.events?.map(({ type }) => type)).not.toContain("text-delta");
});

test("a run with tools that is asked for after close is cancelled", async () => {
  const client = createClient();
  await client.close();
  const error: unknown = await client
    .run("rehearsal/tool-caller", { prompt: "Please look.", tools })
    .result()
    .catch((reason: unknown) => reason);
  expect(RunError.is(error) && error.failure.code).toBe("interrupted");
});
