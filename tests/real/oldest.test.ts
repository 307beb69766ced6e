import { describe, expect, it } from "vitest";
import { anthropicError } from "../../src/testing/index.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import pins from "../support/real-clis/pinned-clis.json" with { type: "json" };
import { oldestClaude, oldestQwen } from "../support/real-clis/rows/oldest.ts";
import { keepingClient, PROMPT, RAIN } from "./caller-loop.ts";
import { describeAnswers } from "./matrix/describe-answers.ts";
import { describeSessionCosts } from "./matrix/describe-session-costs.ts";
import { openRealCli } from "./open-real-cli.ts";
import { openProxy } from "./proxies.ts";
import { useOldest } from "./use-oldest.ts";
import { WEATHER } from "./weather-tool.ts";
import { withPolicies } from "./with-policies.ts";

// A smoke set; nightly/oldest.test.ts has the rest.
useOldest();

it.each(["claude", "qwen"] as const)("the oldest supported %s is installed here, and is a checked version", async (name) => {
  const cli = await openRealCli(name);
  const { version, warnings } = await cli.client.validateEnvironment(name, { timeoutMs: 60_000 });
  expect([version, warnings]).toEqual([pins[name].oldest, []]);
  expect(cli.provider.versionsChecked?.oldest).toBe(pins[name].oldest);
});

it("the oldest supported claude sends three requests in all for an overload, and survives a stream that breaks in its text", async () => {
  const cli = await openRealCli("claude", anthropicError("overloaded_error"));
  const client = withPolicies([cli]);
  expect((await cli.run({ prompt: "Hello" }, { client })).failure).toMatchObject({ code: "overloaded" });
  expect(cli.api.modelRequests).toHaveLength(3);
  cli.api.answerWith([
    { kind: "cut", afterText: "Half an answer" },
    { kind: "text", text: "A whole answer." },
  ]);
  expect((await cli.run({ prompt: "Hello" }, { client })).result.text).toBe("A whole answer.");
  expect(cli.api.modelRequests).toHaveLength(5);
});

it("the oldest supported qwen would ask a proxy for the bridge, so that host tools go by text then", async () => {
  const cli = await openRealCli("qwen", RAIN);
  const { url, asked } = await openProxy(cli.api.url);
  const client = keepingClient({ ...cli, env: { ...cli.env, HTTPS_PROXY: url } });
  const request = { prompt: PROMPT.text, tools: [WEATHER] };
  expect((await cli.run(request, { client })).result.text).toBe("It rains.");
  expect((await cli.run(request, { client, context: { callTool: () => "rain" } })).result.text).toBe("It rains.");
  const proxied = { ...request, env: { http_proxy: url }, hostTools: "native" } as const;
  expect((await cli.run(proxied)).failure).toMatchObject({
    code: "option-unsupported",
    message: expect.stringContaining("the proxy of http_proxy"),
  });
  const requests = modelRequestsOf(cli);
  expect(requests.map(({ tools, user }) => [tools, user.at(-1)?.includes(WEATHER.name)])).toEqual(Array(2).fill([[], true]));
  expect(new Set(asked)).toEqual(new Set([new URL(cli.api.url).host]));
});

for (const row of [oldestClaude, oldestQwen]) describeAnswers(row);

describe("the oldest supported claude", describeSessionCosts);
