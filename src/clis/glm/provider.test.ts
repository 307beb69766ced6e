import { expect, it } from "vitest";
import { claudeStream } from "../../dialects/claude/claude-stream.ts";
import { replayRecording } from "../../replay/replay.ts";
import { variableOf } from "../../spec/provider/cli-data.ts";
import { withSpawn } from "../../spec/provider/provider.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";
import { glm } from "./provider.ts";

const CHINA = "https://open.bigmodel.cn/api/anthropic";

function environment(env: Surroundings): Readonly<Record<string, string>> {
  return glm.transports.spawn.launch({ prompt: "hi" }, { answersPermissions: false, env }).env ?? {};
}

it("a key of z.ai is passed by name to z.ai's endpoint, whatever endpoint Claude Code is configured for", () => {
  const env = { ZAI_API_KEY: "k", ANTHROPIC_BASE_URL: "https://proxy.example/", ANTHROPIC_AUTH_TOKEN: "other" };
  expect(environment(env)).toMatchObject({
    ANTHROPIC_BASE_URL: "https://api.z.ai/api/anthropic",
    ANTHROPIC_AUTH_TOKEN: variableOf("ZAI_API_KEY"),
  });
  expect(environment({ GLM_API_KEY: "k" })).toMatchObject({ ANTHROPIC_AUTH_TOKEN: variableOf("GLM_API_KEY") });
});

it("an agent has settings that keep it at z.ai, and the plan does not contain the key", () => {
  const settingsOf = (env: Surroundings): unknown => {
    const parts = glm.transports.spawn.launch({ prompt: "hi", mode: "agent" }, { answersPermissions: false, env });
    const content = parts.tempFiles?.find(({ name }) => name === "settings.json")?.content ?? "";
    expect(content).not.toContain("SECRET");
    return JSON.parse(content.replaceAll("\0", "|"));
  };
  expect(settingsOf({ ZAI_API_KEY: "SECRET" })).toMatchObject({
    apiKeyHelper: "",
    env: {
      ANTHROPIC_BASE_URL: "https://api.z.ai/api/anthropic",
      ANTHROPIC_AUTH_TOKEN: "|json:env:ZAI_API_KEY|",
      ANTHROPIC_API_KEY: "",
    },
  });
  expect(settingsOf({ ANTHROPIC_BASE_URL: CHINA, ANTHROPIC_AUTH_TOKEN: "SECRET" })).toMatchObject({
    env: { ANTHROPIC_BASE_URL: "|json:env:ANTHROPIC_BASE_URL|", ANTHROPIC_AUTH_TOKEN: "|json:env:ANTHROPIC_AUTH_TOKEN|" },
  });
});

it("a configured z.ai endpoint with its token stays unchanged", () => {
  const env = environment({ ANTHROPIC_BASE_URL: CHINA, ANTHROPIC_AUTH_TOKEN: "k" });
  expect(env).not.toHaveProperty("ANTHROPIC_BASE_URL");
  expect(env).not.toHaveProperty("ANTHROPIC_AUTH_TOKEN");
});

it.each([
  ["nothing", {}],
  ["a key of Anthropic", { ANTHROPIC_API_KEY: "k" }],
  ["a token for another endpoint", { ANTHROPIC_AUTH_TOKEN: "k", ANTHROPIC_BASE_URL: "https://z.ai.example/" }],
  ["a token without an endpoint", { ANTHROPIC_AUTH_TOKEN: "k" }],
  ["an endpoint without a token", { ANTHROPIC_BASE_URL: CHINA }],
])("with %s in the environment no process is started", (_what, env) => {
  expect(glm.refuse?.({ prompt: "hi" }, { env })).toMatchObject({ code: "not-logged-in" });
});

it("a key suffices; a subscription login is refused, because z.ai has none", () => {
  expect(glm.refuse?.({ prompt: "hi" }, { env: { ZAI_API_KEY: "k" } })).toBeUndefined();
  expect(glm.refuse?.({ prompt: "hi" }, { env: { ANTHROPIC_BASE_URL: CHINA, ANTHROPIC_AUTH_TOKEN: "k" } })).toBeUndefined();
  expect(glm.refuse?.({ prompt: "hi", auth: "subscription" }, { env: { ZAI_API_KEY: "k" } })).toBeDefined();
});

it("credentials of Anthropic and cloud switches do not reach the CLI", () => {
  expect(glm.env.strip).toEqual(
    expect.arrayContaining(["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"]),
  );
});

it("a cost computed with Anthropic's prices is not reported, in lines or in a list of them", () => {
  const line = { type: "result", result: "x", is_error: false, total_cost_usd: 1, usage: { input_tokens: 1, output_tokens: 1 } };
  for (const [format, text] of [
    ["stream-json", JSON.stringify(line)],
    ["json", JSON.stringify([line])],
  ] as const) {
    const recording = { format, stdout: Buffer.from(text) };
    const costs = (provider: typeof glm): unknown[] =>
      replayRecording(provider, recording)
        .flat()
        .flatMap((event) => (event.type === "usage" ? [event.costUsd] : []));
    expect(costs(glm)).toEqual([undefined]);
    expect(costs({ ...withSpawn(glm, { wire: claudeStream }), recordedWires: [{ ...claudeStream, framing: "json" }] })).toEqual([
      1,
    ]);
  }
});
