import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { expect, it } from "vitest";
import { z } from "zod";
import { openCli } from "../support/clis/open-cli.ts";
import { schemaCli } from "../support/clis/played-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { openGateway } from "./anthropic-gateway.ts";

const ASK = { max_tokens: 1000, messages: [{ role: "user" as const, content: "Name a boat." }] };
const BOAT = z.object({ name: z.enum(["Ada"]), length: z.number() });

it("the official parser reads the structured answer of the rehearsal CLI, whole and from a stream", async () => {
  const { anthropic, streams } = await openGateway(createClientInScope());
  const request = { ...ASK, model: "rehearsal", output_config: { format: zodOutputFormat(BOAT) } };
  const { parsed_output: whole } = await anthropic.messages.parse(request);
  const { parsed_output: streamed } = await anthropic.messages.stream(request).finalMessage();
  expect(BOAT.parse(whole)).toEqual(streamed);
  expect(await streams()).toEqual(["complete"]);
});

it("the schema reaches the CLI, also under the older name of the format", async () => {
  const object = { name: "Ada", length: 7 };
  const cli = openCli([answers("{}", { object }), answers("{}", { object })], schemaCli);
  const { anthropic } = await openGateway(cli.client);
  const format = zodOutputFormat(BOAT);
  const first = await anthropic.messages.create({ ...ASK, model: "plain", output_config: { format } });
  const second = await anthropic.post<typeof first>("/v1/messages", {
    body: { ...ASK, model: "plain", output_format: { type: "json_schema", schema: format.schema } },
  });
  for (const { content } of [first, second]) expect(content).toMatchObject([{ type: "text", text: JSON.stringify(object) }]);
  const [one, other] = await cli.calls();
  expect(one?.told.outputSchema).toMatchObject({ required: ["name", "length"] });
  expect(other?.told.outputSchema).toEqual(one?.told.outputSchema);
});
