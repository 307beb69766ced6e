import { expect, it } from "vitest";
import { z } from "zod";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers, emit, FOREVER, type Play } from "../support/clis/plays.ts";

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const HALF: Play = [
  { do: "read", what: "all" },
  emit({ type: "text-delta", messageId: "message", text: '{"city":"Os' }),
  FOREVER,
];

function open(script: readonly Play[]): ChatCli {
  return new ChatCli({ provider: "plain", client: openCli(script).client });
}

it("under a JSON Schema the stream of a structured answer gives the value so far while the CLI writes", async () => {
  for await (const value of await open([HALF]).withStructuredOutput(SCHEMA).stream("Where?")) {
    expect(value).toEqual({ city: "Os" });
    break;
  }
});

it("the last value of the stream is the answer, and text and metadata come once", async () => {
  const script = [answers("", { pieces: [...'{"city":"Oslo"}'], after: [{ do: "wait", ms: 300 }] })];
  const values: unknown[] = [];
  for await (const value of await open(script).withStructuredOutput(SCHEMA).stream("Where?")) values.push(value);
  expect(values.at(-1)).toEqual({ city: "Oslo" });
  let whole = "";
  const model = open(script).withConfig({ outputSchema: SCHEMA });
  for await (const chunk of await model.stream("Where?")) whole += chunk.text;
  expect(whole).toBe('{"city":"Oslo"}');
});

it("a schema of a library gives only the validated value", async () => {
  const script = [answers('{"city":"Oslo"}', { after: [{ do: "wait", ms: 300 }] })];
  const values: unknown[] = [];
  const schema = z.object({ city: z.string().transform((city) => city.toUpperCase()) });
  for await (const value of await open(script).withStructuredOutput(schema).stream("Where?")) values.push(value);
  expect(values).toEqual([{ city: "OSLO" }]);
});
