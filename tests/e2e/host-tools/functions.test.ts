import { expect, it } from "vitest";
import { CLOCK, callBlock, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { answers } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const tools = [WEATHER, CLOCK];
const prompt = "What is the weather in Oslo?";

it("by text, a function runs the calls of each answer, and the model gets the results until it answers", async () => {
  const cli = openCli([answers(OSLO), answers(callBlock({ name: "now", id: "call_2" })), answers("It rains at noon.")]);
  const run = await cli.finish({ prompt, tools }, { callTool: ({ name }) => (name === "now" ? "noon" : { rain: true }) });
  const [, second, third] = await cli.calls();
  expect(second?.prompt).toContain("&quot;rain&quot;:true");
  expect(third?.prompt).toContain(">noon</event>");
  expect(eventsOf(run.events, "tool-end")).toMatchObject([
    { name: "get_weather", input: { city: "Oslo" }, output: '{"rain":true}', isError: false },
    { name: "now", output: "noon" },
  ]);
  const result = await run.stream.outcome();
  expect(result).toMatchObject({ text: "It rains at noon.", finish: "stop", toolCalls: [{}, {}] });
  expect(result).not.toHaveProperty("hostCalls");
});

it("by text, an error of a function goes to the model as a failed result", async () => {
  const cli = openCli([answers(OSLO), answers("I do not know.")]);
  await cli.finish({ prompt, tools }, { callTool: () => Promise.reject(new Error("no network")) });
  expect((await cli.calls())[1]?.prompt).toMatch(/status="error">no network<\/event>/);
});

it("by text, no function runs after the run was aborted", async () => {
  const cli = openCli([answers(`${OSLO}\n\n${callBlock({ name: "now", id: "call_2" })}`)]);
  const abort = new AbortController();
  const made: string[] = [];
  const run = await cli.finish(
    { prompt, tools },
    {
      signal: abort.signal,
      callTool: ({ name }) => {
        made.push(name);
        abort.abort();
      },
    },
  );
  expect([run.end.finish, made]).toEqual(["cancelled", ["get_weather"]]);
});

it("by text, a model that does not stop calling ends at the turn limit", async () => {
  const cli = openCli([answers(OSLO), answers(OSLO.replace("call_1", "call_2"))]);
  const run = await cli.finish({ prompt, tools, maxTurns: 2 }, { callTool: () => "rain" });
  expect(run.end.failure).toMatchObject({ code: "turn-limit" });
  expect(cli.starts()).toBe(2);
});

it("a schema that cannot be used is named with its tool before the CLI is started", async () => {
  const cli = openCli([]);
  const wrong = { name: "measure", parameters: { type: "objekt" } };
  const asked = [{ prompt, tools: [wrong] }, { callTool: () => "x" }] as const;
  const { failure } = await cli.run(...asked).outcome();
  expect(failure).toMatchObject({ code: "schema-unreadable", message: expect.stringContaining("measure") });
  expect(cli.client.plan("plain", ...asked)).toEqual({ failure });
});

it("a callTool that is no function is a TypeError at once", () => {
  const cli = openCli([]);
  expect(() => cli.run({ prompt, tools }, { callTool: "look" as never })).toThrow(new TypeError("callTool must be a function."));
});
