import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/index.ts";
import type { Failure } from "../../../src/spec/failure/failure.ts";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { withSpawn } from "../../../src/spec/provider/provider.ts";
import { CLOCK, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli, type ScriptedCli } from "../../support/clis/open-cli.ts";
import { plainCli } from "../../support/clis/played-cli.ts";
import { answers } from "../../support/clis/plays.ts";

const prompt = "What is the weather in Oslo?";
const image = { mediaType: "image/png", data: "iVBORw0KGgo=" };
const user = { role: "user", text: "Hello" };

describe("invalid data is a failure before anything is started, and plan() gives the same failure", () => {
  it.each<[what: string, request: object, code: FailureCode]>([
    ["two tools of one name", { prompt, tools: [WEATHER, { ...CLOCK, name: WEATHER.name }] }, "bad-request"],
    ["a tool without a name", { prompt, tools: [{ name: "" }] }, "bad-request"],
    ["a tool with a blank in its name", { prompt, tools: [{ name: "get weather" }] }, "bad-request"],
    ["a tool with a newline in its name", { prompt, tools: [{ name: "get\nweather" }] }, "bad-request"],
    ["a tool with a quote in its name", { prompt, tools: [{ name: 'get"weather' }] }, "bad-request"],
    ["a choice of a tool that is not there", { prompt, tools: [WEATHER], toolChoice: { name: "now" } }, "bad-request"],
    ["a required call without tools", { prompt, toolChoice: "required" }, "bad-request"],
    ["a required call with an empty list of tools", { prompt, tools: [], toolChoice: "required" }, "bad-request"],
    ["tools in agent mode", { prompt, tools: [WEATHER], mode: "agent", cwd: "/" }, "options-conflict"],
    ["no messages", { messages: [] }, "prompt-blank"],
    ["a lone blank message", { messages: [{ role: "user", text: " \n" }] }, "prompt-blank"],
    ["a lone message with a NUL", { messages: [{ role: "user", text: "a\0b" }] }, "prompt-malformed"],
    ["an image for a CLI that takes none", { messages: [{ ...user, images: [image] }] }, "option-unsupported"],
    ["an image in an earlier message", { messages: [{ ...user, images: [image] }, user] }, "option-unsupported"],
    ["an image beside a prompt", { prompt, images: [image] }, "option-unsupported"],
  ])("%s", async (_what, request, code) => {
    const cli = openCli([answers(OSLO), answers(OSLO)]);
    const failure = await failureOfRun(cli, request);
    expect(failure).toMatchObject({ category: "validation", code });
    expect(failure?.message).toMatch(/^\S.*$/);
    expect(cli.starts()).toBe(0);
    expect(plan(cli, request)).toEqual({ failure });
  });

  it("a conversation with its tools that is longer than the CLI takes", async () => {
    const cli = openCli([answers(OSLO)], withSpawn(plainCli, { limits: { promptBytes: 200 } }));
    expect(await failureOfRun(cli, { prompt })).toBeUndefined();
    const failure = await failureOfRun(cli, { prompt, tools: [WEATHER] });
    expect(failure).toMatchObject({ category: "validation", code: "prompt-too-large" });
    expect(cli.starts()).toBe(1);
  });
});

describe("a schema that cannot be compiled is a failure of the run before anything is started, and of the plan", () => {
  it.each<[what: string, request: object]>([
    ["parameters of no known type", { prompt, tools: [{ name: "a", parameters: { type: "strin" } }] }],
    ["parameters with a dead reference", { prompt, tools: [{ name: "a", parameters: { $ref: "#/no" } }] }],
    ["a schema of no known type", { prompt, outputSchema: { type: "strin" } }],
    ["a schema with a dead reference", { prompt, outputSchema: { $ref: "#/no" } }],
  ])("%s", async (_what, request) => {
    const cli = openCli([answers(OSLO), answers(OSLO)]);
    const planned = plan(cli, request);
    const failure = await failureOfRun(cli, request);
    expect(failure).toMatchObject({
      category: "validation",
      code: "schema-unreadable",
      message: expect.stringMatching(/^\S.*$/),
    });
    expect(planned).toEqual({ failure });
    expect(cli.starts()).toBe(0);
  });
});

describe("wrong types throw a TypeError at once that names the request", () => {
  it.each<[what: string, request: unknown]>([
    ["a prompt and messages", { prompt, messages: [user] }],
    ["neither a prompt nor messages", { tools: [WEATHER] }],
    ["messages that are a text", { messages: "Hello" }],
    ["messages that are one message", { messages: user }],
    ["a message that is nothing", { messages: [null] }],
    ["a message that is a text", { messages: ["Hello"] }],
    ["a message without a role", { messages: [{ text: "Hello" }] }],
    ["a message without a text", { messages: [{ role: "user" }] }],
    ["a message whose text is a list", { messages: [{ role: "user", text: ["Hello"] }] }],
    ["a message with an unknown role", { messages: [{ role: "robot", text: "Hello" }] }],
    ["a tool result without the id of its call", { messages: [user, { role: "tool", text: "3 degrees" }] }],
    ["tools that are an object", { prompt, tools: { get_weather: WEATHER } }],
    ["a tool that is nothing", { prompt, tools: [null] }],
    ["a tool without any name", { prompt, tools: [{ description: "Weather" }] }],
    ["a tool whose name is a number", { prompt, tools: [{ name: 5 }] }],
    ["a schema that is a list", { prompt, outputSchema: [] }],
    ["a schema that is null", { prompt, outputSchema: null }],
    ["a tool whose parameters are a list", { prompt, tools: [{ name: "a", parameters: [] }] }],
  ])("%s", (_what, request) => {
    const cli = openCli([answers(OSLO), answers(OSLO)]);
    const thrown = [cli.client.run, cli.client.plan].map((method) => {
      try {
        return Reflect.apply(method, cli.client, ["plain", request]);
      } catch (error) {
        return error;
      }
    });
    for (const error of thrown) {
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toHaveProperty("message", expect.not.stringMatching(/is not a function|cannot read|cannot destructure/i));
    }
  });
});

describe("an unknown option value is refused before anything is started", () => {
  it.each<[what: string, request: object]>([
    ["a tool choice", { prompt, tools: [WEATHER], toolChoice: "sometimes" }],
    ["a thread encoding", { prompt, threadEncoding: "yaml" }],
  ])("%s", async (_what, request) => {
    const cli = openCli([answers("It is cold."), answers("It is cold.")]);
    const refusal = await failureOfRun(cli, request).catch((error: unknown) => error);
    if (!(refusal instanceof TypeError)) expect(refusal).toMatchObject({ category: "validation" });
    expect(cli.starts()).toBe(0);
  });
});

/** Undefined when the run did not fail; rejects with the error that run() throws. */
async function failureOfRun(cli: ScriptedCli, request: object): Promise<Failure | undefined> {
  const outcome: unknown = await Reflect.apply(cli.run, cli, [request])
    .result()
    .catch((error: unknown) => error);
  return RunError.is(outcome) ? outcome.failure : undefined;
}

function plan(cli: ScriptedCli, request: object): unknown {
  return Reflect.apply(cli.client.plan, cli.client, ["plain", request]);
}
