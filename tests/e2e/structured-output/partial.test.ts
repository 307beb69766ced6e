import { describe, expect, it } from "vitest";
import { codex } from "../../../src/clis/codex/provider.ts";
import { defineProvider, type Provider } from "../../../src/provider.ts";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { CLOCK, callBlock, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { plainCli, schemaCli } from "../../support/clis/played-cli.ts";
import { answers, emit, FOREVER, type Play, type Step } from "../../support/clis/plays.ts";
import { completeObjects, eventsOf } from "../../support/runs/read-run.ts";

const outputSchema: JsonObject = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const OSLO = { city: "Oslo", degrees: 3.5 };
const request: RunRequest = { prompt: "What is the weather in Oslo?", outputSchema };
const toolCli: Provider = defineProvider({ ...schemaCli, objectTool: "StructuredOutput" });
const closedCli: Provider = defineProvider({ ...schemaCli, ...(codex.schemaDialect && { schemaDialect: codex.schemaDialect }) });
const LIST: JsonObject = { type: "array", items: { type: "string" } };

const toolStart = emit({ type: "tool-start", id: "t", name: "StructuredOutput" });
const toolInput = (delta: string): Step => emit({ type: "tool-input-delta", id: "t", delta });

/** What a CLI that never ends its answer has shown of it when the first value arrives. */
async function firstValue(provider: Provider, half: Play, asked: RunRequest = request): Promise<JsonValue | undefined> {
  const cli = openCli([[{ do: "read", what: "all" }, ...half, FOREVER]], provider);
  const run = cli.run(asked);
  for await (const event of run) if (event.type === "object-delta") return event.isPartial === true ? event.object : undefined;
  return undefined;
}

function text(piece: string): Step {
  return emit({ type: "text-delta", messageId: "message", text: piece });
}

describe("the value so far is shown while the CLI writes", () => {
  it.each<[how: string, provider: Provider, half: Play, asked: RunRequest, value: JsonValue]>([
    ["an answer by text", plainCli, [text('{"city":"Os')], request, { city: "Os" }],
    ["a fence by text", plainCli, [text('Here you are:\n\n```json\n{"city":"Os')], request, { city: "Os" }],
    ["the text of a CLI with its own option", schemaCli, [text('{"city":"Os')], request, { city: "Os" }],
    ["a wrapped list", closedCli, [text('{"value":["Os')], { ...request, outputSchema: LIST }, ["Os"]],
    ["the input of a CLI's tool for answers", toolCli, [toolStart, toolInput('{"city":"Os')], request, { city: "Os" }],
    ["an answer beside host tools", plainCli, [text('{"city":"Os')], { ...request, tools: [WEATHER] }, { city: "Os" }],
  ])("in %s", async (_how, provider, half, asked, value) => {
    expect(await firstValue(provider, half, asked)).toEqual(value);
  });

  it("and the last one is complete and the result", async () => {
    const pieces = [...JSON.stringify(OSLO)];
    const run = await openCli([answers("", { pieces })]).finish(request);
    expect(completeObjects(run.events)).toEqual([OSLO]);
    expect(eventsOf(run.events, "object-delta").at(-1)).not.toHaveProperty("isPartial");
    expect((await run.stream.result()).object).toEqual(OSLO);
  });

  it("at most once in a batch", async () => {
    const cli = openCli([answers("", { pieces: [...JSON.stringify({ ...OSLO, city: "Oslo ".repeat(200) })] })]);
    for await (const batch of cli.run(request).batches())
      expect(batch.filter((event: RunEvent) => event.type === "object-delta" && event.isPartial === true).length).toBeLessThan(2);
  });
});

describe("the value so far is not shown", () => {
  it.each<[what: string, provider: Provider, script: Play, asked: RunRequest]>([
    ["of prose", plainCli, answers("It is cold in [Oslo] {today}."), request],
    [
      "of a call of a host tool",
      plainCli,
      answers(callBlock({ name: "now" }), { after: [pause()] }),
      { ...request, tools: [CLOCK] },
    ],
    ["of prose beside a tool for answers", toolCli, answers('{"city":"Os', { object: OSLO, after: [pause()] }), request],
    ["of a sub-agent", plainCli, subAgent(), request],
  ])("%s", async (_what, provider, script, asked) => {
    const run = await openCli([script, answers(JSON.stringify(OSLO), { object: OSLO })], provider).finish(asked);
    const shown = eventsOf(run.events, "object-delta").filter(({ isPartial }) => isPartial === true);
    for (const { object } of shown) expect(object).toEqual(OSLO);
  });
});

it("a corrected answer replaces the value so far", async () => {
  const wrong = answers('{"city":"Bergen","degrees":"cold"}', { after: [pause()] });
  const run = await openCli([wrong, answers(JSON.stringify(OSLO), { after: [pause()] })]).finish(request);
  const result = await run.stream.result();
  expect(result).toMatchObject({ object: OSLO, warnings: [{ code: "object-corrected" }] });
  expect(completeObjects(run.events)).toEqual([OSLO]);
});

it("a failed attempt that has shown only the value so far is repeated, and its value is not the result", async () => {
  const failing = answers('{"city":"Ber', {
    after: [pause()],
    end: { finish: "error", fault: { message: "busy", kind: "overloaded" } },
  });
  const retry = { retries: 1, firstDelayMs: 1 };
  const cli = openCli([failing, answers(JSON.stringify(OSLO))], plainCli, { retry });
  const run = await cli.finish(request);
  expect(await run.stream.result()).toMatchObject({ object: OSLO, attempts: [{ failure: { code: "overloaded" } }, {}] });
  expect(completeObjects(run.events)).toEqual([OSLO]);
});

it("a run that ends early has no object, whatever it has shown", async () => {
  const run = openCli([[{ do: "read", what: "all" }, text('{"city":"Ber'), FOREVER]]).run(request);
  for await (const event of run) if (event.type === "object-delta") await run.interrupt();
  expect(await run.outcome()).not.toHaveProperty("object");
});

/** Long enough for the host to read what was printed before, as a batch of its own. */
function pause(): Step {
  return { do: "wait", ms: 300 };
}

function subAgent(): Play {
  const piece = emit({ type: "text-delta", messageId: "below", text: '{"city":"Os', parentToolId: "t" });
  return answers(JSON.stringify(OSLO), { before: [piece, pause()] });
}
