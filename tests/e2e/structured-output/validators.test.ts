import { describe, expect, it } from "vitest";
import type { RunInput, StandardSchema } from "../../../src/index.ts";
import { openCli, type ScriptedCli } from "../../support/clis/open-cli.ts";
import { answers } from "../../support/clis/plays.ts";

const prompt = "Which cities?";

function runInput<Output>(cli: ScriptedCli, request: RunInput<Output>) {
  return cli.client.run("plain", request);
}

describe("a validator of the caller that misbehaves", () => {
  const city = '{"city":"Oslo"}';

  it.each(["total timeout", "abort"] as const)("that never settles ends with the run's %s", async (end) => {
    const cli = openCli([answers(city)]);
    const stopping = new AbortController();
    let begun = (): void => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const outputSchema = validating(() => {
      begun();
      return new Promise(() => {});
    });
    const timeouts = end === "abort" ? {} : { timeouts: { totalMs: 5000 } };
    const run = cli.client.run("plain", { prompt, outputSchema, ...timeouts }, { signal: stopping.signal });
    if (end === "abort") void isBegun.then(() => stopping.abort());
    const outcome = await run.outcome();
    expect(outcome).not.toHaveProperty("object");
    expect(outcome.failure).toMatchObject(
      end === "abort" ? { code: "interrupted" } : { code: "total-timeout", partialText: city },
    );
  });

  it.each<[what: string, validate: Validate, message: RegExp]>([
    ["throws", () => fail(new Error("no database")), /no database/],
    ["rejects", async () => fail(new Error("no database")), /no database/],
    ["throws what has no text", () => fail(Object.create(null)), /could not be checked/],
    ["returns nothing", () => undefined as never, /could not be checked/],
    ["gives an issue without a message", () => ({ issues: [{ path: ["city"] } as never] }), /\/city: is invalid/],
    ["gives an empty list of issues", () => ({ issues: [] }), /it: is invalid/],
  ])("that %s makes the answer a mismatch, which keeps its text", async (_what, validate, message) => {
    const cli = openCli([answers(city), answers(city)]);
    const outcome = await runInput(cli, { prompt, outputSchema: validating(validate) }).outcome();
    expect(outcome.failure).toMatchObject({
      code: "schema-mismatch",
      message: expect.stringMatching(message),
      partialText: city,
    });
  });

  it("may use its own object", async () => {
    const standard = {
      ...{ vendor: "mine", version: 1, allowed: "Oslo" },
      validate(value: unknown) {
        return (value as { city: string }).city === this.allowed ? { value } : { issues: [{ message: "not allowed" }] };
      },
      jsonSchema: {
        type: "object",
        input() {
          return { type: this.type };
        },
      },
    };
    const cli = openCli([answers(city)]);
    const result = await runInput(cli, { prompt, outputSchema: { "~standard": standard } }).result();
    expect(result.object).toEqual({ city: "Oslo" });
  });
});

type Validate = NonNullable<StandardSchema["~standard"]["validate"]>;

function validating(validate: Validate): StandardSchema {
  return { "~standard": { vendor: "mine", validate, jsonSchema: { input: () => ({ type: "object" }) } } };
}

function fail(thrown: unknown): never {
  throw thrown;
}
