import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/spec/json.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import { AGENT_TARGETS, agentRequest } from "../support/real-clis/agent-request.ts";
import { type ModelRequest, modelRequestsOf } from "../support/real-clis/model-request.ts";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { type ClaudeRest, claudeRestOf } from "./claude-rest.ts";
import { type OpenRealCli, openRealCli, type RealRunOptions } from "./open-real-cli.ts";

const PIRATE = "You are a pirate.\r\n\tSay \"arr\" and 'aye', pay in $gold or €, and never \\escape \u007f or \u0001.";
const LONG = `Rules:\n${"Be kind to whoever asks, 親切に. ".repeat(4_500)}Thank you.`;

describe.each(["claude", "codex"] as const)("the requests of real %s to the model", (name) => {
  /** The CLI's additional content that no flag removes. */
  const unavoidableIn = (body: JsonObject): Pick<ClaudeRest, "system" | "user"> =>
    name === "claude" ? claudeRestOf(body) : { system: [], user: [] };

  it(`a completion of ${name} without a system prompt sends the prompt and little else`, async () => {
    const { body, ...said } = await requestOf(name, { prompt: "Hello" });
    const unavoidable = unavoidableIn(body);
    expect(said).toMatchObject({ system: unavoidable.system, user: [...unavoidable.user, "Hello"], tools: [] });
    expect(JSON.stringify(body).length).toBeLessThan(2_500);
    expect(JSON.stringify(body)).not.toContain("SECRET-OF-THE-WORKSPACE");
  });

  it(`a system prompt replaces ${name}'s own in a completion`, async () => {
    const { body, ...said } = await requestOf(name, { prompt: "Hello", system: PIRATE });
    const unavoidable = unavoidableIn(body);
    expect(said).toMatchObject({ system: [...unavoidable.system, PIRATE], user: [...unavoidable.user, "Hello"], tools: [] });
  });

  it(`${name} answers with a system prompt of only spaces`, async () => {
    expect((await requestOf(name, { prompt: "Hello", system: " \n" })).user.at(-1)).toBe("Hello");
  });

  it(`a system prompt of 150 KB reaches the model of ${name} unchanged`, async () => {
    expect(Buffer.byteLength(LONG)).toBeGreaterThan(150_000);
    const { system } = await requestOf(name, { prompt: "Hello", system: LONG });
    expect(system.at(-1) === LONG).toBe(true);
  });

  it(`a system prompt also replaces that of an agent of ${name}, and is appended to it on request`, async () => {
    const cli = await openRealCli(name);
    const target = AGENT_TARGETS[name];
    for (const request of [{}, { system: PIRATE }, { system: PIRATE, systemMode: "append" }] as const)
      await cli.run(agentRequest(cli, request), { target });
    const [own, replaced, appended] = modelRequestsOf(cli).map(({ system }) => system.join("\n\n"));
    const opening =
      name === "claude" ? /You are an (?:interactive agent|agent working with the user toward their goals)/ : /You are Codex/;
    expect(own).toMatch(opening);
    expect(own).not.toContain(PIRATE);
    expect(replaced).toContain(PIRATE);
    expect(replaced).not.toMatch(opening);
    expect(appended).toContain(PIRATE);
    expect(appended).toMatch(opening);
  });

  it(`${name} uses the model of the target`, async () => {
    const model = name === "claude" ? "claude-sonnet-4-5" : "gpt-5.5";
    expect((await requestOf(name, { prompt: "Hello" }, { target: `${name}/${model}` })).model).toBe(model);
  });

  it(`${name} also uses a model that it does not know`, async () => {
    expect((await requestOf(name, { prompt: "Hello" }, { target: `${name}/tomorrow-9` })).model).toBe("tomorrow-9");
  });

  it.each(["low", "max"] as const)(`an effort of %s reaches the model of ${name}`, async (effort) => {
    const { body } = await requestOf(name, { prompt: "Hello", effort });
    if (name === "claude") expect(body).toMatchObject({ output_config: { effort } });
    else expect(body).toMatchObject({ reasoning: { effort: effort === "max" ? "xhigh" : effort } });
  });
});

it("a system prompt of 150 KB is appended unchanged to that of an agent of claude", async () => {
  const cli = await openRealCli("claude");
  await cli.run(agentRequest(cli, { system: LONG, systemMode: "append" }));
  expect(modelRequestsOf(cli)[0]?.system.join("\n\n").includes(LONG)).toBe(true);
});

it("a system prompt of 150 KB to append is refused before codex is started, which takes it only as an argument", async () => {
  const cli = await openRealCli("codex");
  const run = await cli.run(agentRequest(cli, { system: LONG, systemMode: "append" }));
  expect(run.failure).toMatchObject({ category: "validation", code: "arguments-too-large" });
  expect(cli.api.requests).toEqual([]);
});

it("an output limit reaches the model of claude", async () => {
  expect((await requestOf("claude", { prompt: "Hello", maxOutputTokens: 512 })).body).toMatchObject({ max_tokens: 512 });
});

it("codex has no output limit: it is ignored with a warning, or refused before codex is started", async () => {
  const cli = await openRealCli("codex");
  const run = await cli.run({ prompt: "Hello", maxOutputTokens: 512 });
  expect(run.failure).toBeUndefined();
  expect(run.result.warnings).toMatchObject([{ code: "setting-ignored" }]);
  const strict = await cli.run({ prompt: "Hello", maxOutputTokens: 512, strict: true });
  expect(strict.failure).toMatchObject({ category: "validation", code: "option-unsupported" });
  expect(strict.events).toHaveLength(2);
});

async function requestOf(name: CliName, request: RunRequest, options?: RealRunOptions): Promise<ModelRequest> {
  const cli: OpenRealCli = await openRealCli(name);
  const run = await cli.run(request, options);
  expect(run.failure).toBeUndefined();
  const [first, ...others] = modelRequestsOf(cli);
  if (first === undefined || others.length > 0) throw new Error(`the model was asked ${cli.api.modelRequests.length} times`);
  return first;
}
