import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/spec/message.ts";
import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { openRealCli } from "../open-real-cli.ts";

const outputSchema = {
  // A schema as Zod writes it.
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer" } },
  required: ["city", "people"],
  additionalProperties: false,
};
const ULM = { city: "Ulm", people: 128_928 };
const PROSE = "Ulm is a city.";

const QUESTION = "What is the weather in Ulm?";
const tools = [
  {
    name: "get_weather",
    description: "Weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
];
const CALL = '```json\n{"mark":"{{mark}}","tool_calls":[{"name":"get_weather","args":{"city":"Ulm"},"id":"call_1"}]}\n```';

/** Structured answers, by the CLI's own option or by text. */
export function describeObjects({ name, providerAt }: MatrixRow): void {
  const isNative = capabilitiesOf(providerAt("")).structuredOutput === "native";
  const fitting = { kind: "text", text: `Here it is:\n\`\`\`json\n${JSON.stringify(ULM)}\n\`\`\`` } as const;

  describe(`the structured answers of real ${name}`, () => {
    if (isNative) {
      // describe-schemas.ts has the answers that match.
      it(`JSON in a fence from ${name} is the object, and prose is sent back to the model once`, async () => {
        const cli = await openRealCli(name, fitting);
        const { result, events } = await cli.run({ prompt: "Ulm?", outputSchema });
        expect(result).toMatchObject({ object: ULM, text: JSON.stringify(ULM), warnings: [] });
        expect(events.filter(({ type }) => type === "attempt-start")).toHaveLength(1);
        cli.api.answerWith(({ rawBody }) => (rawBody.includes("[Correction]") ? fitting : { kind: "text", text: PROSE }));
        const corrected = await cli.run({ prompt: "Ulm?", outputSchema });
        expect(corrected.result).toMatchObject({ object: ULM, warnings: [{ code: "object-corrected" }] });
      });

      it(`prose from ${name} instead of an object is a mismatch`, async () => {
        const cli = await openRealCli(name, { kind: "text", text: PROSE });
        const run = await cli.run({ prompt: "Ulm?", outputSchema });
        expect(run.failure).toMatchObject({ category: "invalid_response", code: "schema-mismatch" });
        expect(run.result).not.toHaveProperty("object");
      });
    } else
      it(`${name} gets the schema in the prompt, prose is sent back to the model once, and the second answer is an object`, async () => {
        const cli = await openRealCli(name, [{ kind: "text", text: PROSE }, fitting]);
        const run = await cli.run({ prompt: "Ulm?", outputSchema });
        expect(run.failure).toBeUndefined();
        expect(run.result).toMatchObject({ object: ULM, finish: "stop" });
        expect(JSON.parse(run.result.text)).toEqual(ULM);
        expect(cli.api.modelRequests[0]?.rawBody).toContain("additionalProperties");
        expect(modelRequestsOf(cli)[1]?.user.join("\n")).toContain(PROSE);
      });
  });
}

/** Host tools by text. */
export function describeTextTools({ name }: MatrixRow): void {
  describe(`the host tools of real ${name} by text`, () => {
    it(`a tool of the host is called through ${name}, and its result reaches the model`, async () => {
      const cli = await openRealCli(name, [
        { kind: "text", text: CALL },
        { kind: "text", text: "It rains." },
      ]);
      const asked = await cli.run({ prompt: QUESTION, tools });
      const hostCalls = asked.result.hostCalls ?? [];
      expect(asked.result).toMatchObject({ finish: "tool-calls", hostCalls: [{ name: "get_weather", args: { city: "Ulm" } }] });
      const messages: readonly Message[] = [
        { role: "user", text: QUESTION },
        { role: "assistant", text: "", toolCalls: hostCalls },
        { role: "tool", callId: hostCalls[0]?.id ?? "", text: "4 °C & rain <now>" },
      ];
      const answered = await cli.run({ messages, tools });
      expect(answered.result).toMatchObject({ text: "It rains.", finish: "stop", toolCalls: [] });
      expect(modelRequestsOf(cli)[0]?.user.join("\n")).toContain("get_weather");
      expect(modelRequestsOf(cli)[1]?.user.join("\n")).toContain("4 °C &amp; rain &lt;now&gt;");
    });
  });
}
