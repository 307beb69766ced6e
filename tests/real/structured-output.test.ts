import { describe, expect, it } from "vitest";
import type { FakeAnswer } from "../../src/testing/index.ts";
import type { DeepCliName } from "../support/real-clis/real-cli.ts";
import { eventsOf, openRealCli, type RealRunOptions } from "./open-real-cli.ts";

const outputSchema = {
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer" } },
  required: ["city", "people"],
  additionalProperties: false,
};
const ULM = { city: "Ulm", people: 128_928 };

/** The model's structured answer: a tool call at Anthropic, text at OpenAI. */
const ANSWERS: Readonly<Record<DeepCliName, FakeAnswer>> = {
  claude: { kind: "tool-calls", calls: [{ name: "StructuredOutput", input: ULM }] },
  codex: { kind: "text", text: JSON.stringify(ULM) },
};

/** The same answer, which stops in the middle of the name. */
const HALVES: Readonly<Record<DeepCliName, FakeAnswer>> = {
  claude: { kind: "stall", afterCall: { name: "StructuredOutput", input: '{"city":"Ul' } },
  codex: { kind: "stall", afterText: '{"city":"Ul' },
};

describe.each(["claude", "codex"] as const)("the structured output of real %s", (name) => {
  it(`an answer of ${name} that matches the schema is an object, and its text is the JSON`, async () => {
    const cli = await openRealCli(name, ANSWERS[name]);
    const run = await cli.run({ prompt: "Ulm?", outputSchema });
    expect(run.result).toMatchObject({ object: ULM, finish: "stop" });
    expect(JSON.parse(run.result.text)).toEqual(ULM);
    expect(eventsOf(run, "object-delta").at(-1)?.object).toEqual(ULM);
  });

  it(`the value so far is shown while ${name} still writes its answer`, async () => {
    const cli = await openRealCli(name, HALVES[name]);
    const options: RealRunOptions = {
      // `codex exec` prints whole messages; only its resident transport streams.
      target: { provider: name, ...(name === "codex" && { transport: "resident" }) },
      onEvent: (event, stream) => event.type === "object-delta" && stream.interrupt(),
    };
    const run = await cli.run({ prompt: "Ulm?", outputSchema }, options);
    expect(eventsOf(run, "object-delta").map(({ object, isPartial }) => [object, isPartial])).toEqual([[{ city: "Ul" }, true]]);
    expect(run.failure).toMatchObject({ category: "cancelled" });
    expect(run.result).not.toHaveProperty("object");
  });

  it(`the schema reaches the model of ${name}`, async () => {
    const cli = await openRealCli(name, ANSWERS[name]);
    await cli.run({ prompt: "Ulm?", outputSchema });
    const { tools, text } = JSON.parse(cli.api.modelRequests[0]?.rawBody ?? "{}");
    if (name === "claude") expect(tools).toMatchObject([{ name: "StructuredOutput", input_schema: outputSchema }]);
    else expect(text).toMatchObject({ format: { type: "json_schema", schema: outputSchema, strict: true } });
  });

  it(`JSON in a fence from ${name} instead of an object is the object`, async () => {
    const text = `Here you are:\n\`\`\`json\n${JSON.stringify(ULM)}\n\`\`\``;
    const { result, events } = await (await openRealCli(name, { kind: "text", text })).run({ prompt: "Ulm?", outputSchema });
    expect(result).toMatchObject({ object: ULM, text: JSON.stringify(ULM), warnings: [] });
    expect(events.filter(({ type }) => type === "attempt-start")).toHaveLength(1);
  });

  it(`prose from ${name} instead of an object is corrected once`, async () => {
    const corrected = (body: string): boolean => body.includes("[Correction]");
    const cli = await openRealCli(name, ({ rawBody }) =>
      corrected(rawBody) ? ANSWERS[name] : { kind: "text", text: "Ulm is a city." },
    );
    const { result } = await cli.run({ prompt: "Ulm?", outputSchema });
    expect(result).toMatchObject({ object: ULM, warnings: [{ code: "object-corrected" }] });
  });

  it(`prose from ${name} instead of an object twice is a mismatch, and stays readable`, async () => {
    const cli = await openRealCli(name, { kind: "text", text: "Ulm is a city." });
    const run = await cli.run({ prompt: "Ulm?", outputSchema });
    expect(run.failure).toMatchObject({ category: "invalid_response", code: "schema-mismatch", partialText: "Ulm is a city." });
    expect(run.result).not.toHaveProperty("object");
    expect(run.end.finish).toBe("error");
  });
});

it("an object that never matches the schema makes claude stop with a mismatch", async () => {
  const calls = [{ name: "StructuredOutput", input: { city: 7 } }];
  const cli = await openRealCli("claude", { kind: "tool-calls", calls });
  const run = await cli.run({ prompt: "Ulm?", outputSchema });
  expect(run.failure).toMatchObject({ category: "invalid_response", code: "schema-mismatch" });
  expect(run.result.toolCalls.every((call) => call.isError)).toBe(true);
});

it("an object that matches at the second attempt is claude's answer", async () => {
  const cli = await openRealCli("claude", [
    { kind: "tool-calls", calls: [{ name: "StructuredOutput", input: { city: 7 } }] },
    ANSWERS.claude,
  ]);
  const run = await cli.run({ prompt: "Ulm?", outputSchema });
  expect(run.result).toMatchObject({ object: ULM, toolCalls: [{ isError: true }, { isError: false }] });
});
