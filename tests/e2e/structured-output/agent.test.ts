import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { plainCli, schemaCli } from "../../support/clis/played-cli.ts";
import { answers, SESSION } from "../../support/clis/plays.ts";
import { completeObjects, eventsOf } from "../../support/runs/read-run.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

const outputSchema: JsonObject = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] };
const BAD = { degrees: "cold" };
const GOOD = { degrees: 3.5 };
const request: RunRequest = { prompt: "Measure it and write it down.", outputSchema, mode: "agent" };

describe.each([
  ["by text", plainCli, answers(JSON.stringify(BAD)), answers(JSON.stringify(GOOD))],
  ["of the CLI's own", schemaCli, answers("", { object: BAD }), answers("", { object: GOOD })],
])("an agent does not repeat its work: a structured value %s", (_how, provider, bad, good) => {
  it.each<[where: string, session: Pick<RunRequest, "session">]>([
    ["alone", {}],
    ["in a session", { session: { id: SESSION } }],
  ])("that breaks its schema fails at once, %s", async (_where, session) => {
    const cli = openCli([bad, good], provider);
    const run = await cli.finish({ ...request, ...session });
    const failure = await expectFailure(run, "invalid_response", "schema-mismatch");
    expect(failure.partialText).toBe(JSON.stringify(BAD));
    expect(eventsOf(run.events, "warning")).toEqual([]);
    expect(completeObjects(run.events)).toEqual([]);
    expect(cli.starts()).toBe(1);
  });

  it("that fits is the object", async () => {
    const cli = openCli([good, bad], provider);
    expect(await (await cli.finish(request)).stream.result()).toMatchObject({ finish: "stop", object: GOOD, warnings: [] });
    expect(cli.starts()).toBe(1);
  });
});
