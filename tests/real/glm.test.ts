import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { startFakeModelApi } from "../../src/testing/index.ts";
import { agentRequest } from "../support/real-clis/agent-request.ts";
import { glm } from "../support/real-clis/rows/glm.ts";
import { plantSettings } from "./connections/cases.ts";
import { describeErrors } from "./matrix/describe-errors.ts";
import { describeOwnTools } from "./matrix/describe-own-tools.ts";
import { describePureAnswers } from "./matrix/describe-pure-answers.ts";
import { describeRow } from "./matrix/describe-row.ts";
import { openRealCli } from "./open-real-cli.ts";

// The program is Claude Code, whose sessions, objects, sizes and stops have their own tests.
describeRow(glm);
describePureAnswers(glm);
describeOwnTools(glm);
describeErrors(glm);

it("the key of z.ai is sent to z.ai's endpoint, and no credential of Anthropic is", async () => {
  const cli = await openRealCli("glm");
  const strays = { ANTHROPIC_API_KEY: "sk-ant-of-another-login", ANTHROPIC_CUSTOM_HEADERS: "x-stray: header-of-another-login" };
  const client = createClient({ policies: false, env: { ...cli.env, ...strays }, providers: [cli.provider] });
  onTestFinished(() => client.close());
  const run = await cli.run({ prompt: "Hello" }, { client });
  expect(run.failure).toBeUndefined();
  expect(cli.api.modelRequests).toHaveLength(1);
  const [request] = cli.api.modelRequests;
  expect(request?.headers["authorization"]).toBe("Bearer fake-key-of-the-suite");
  expect(JSON.stringify(request?.headers)).not.toContain("of-another-login");
  expect(run.result).not.toHaveProperty("costUsd");
});

it("an account of z.ai without credit is a spent quota, although z.ai and claude report a rate limit", async () => {
  const message = "Insufficient balance or no resource package. Please recharge.";
  const body = { type: "error", error: { type: "rate_limit_error", message } };
  const cli = await openRealCli("glm", { kind: "http-error", status: 429, body });
  const run = await cli.run({ prompt: "Hello" });
  expect(run.failure).toMatchObject({ category: "quota", code: "quota-exhausted" });
});

it("an agent sends its key to z.ai alone, whatever the user's settings of Claude Code name", async () => {
  const cli = await openRealCli("glm", { kind: "text", text: "Hello from z.ai." });
  const other = await startFakeModelApi("anthropic-messages");
  onTestFinished(() => other.close());
  const helper = "echo key-of-the-helper";
  const variables = {
    ANTHROPIC_BASE_URL: other.url,
    ANTHROPIC_AUTH_TOKEN: "token-of-the-settings",
    ANTHROPIC_API_KEY: "key-of-the-settings",
  };
  plantSettings(cli.home, ".claude/settings.json", { env: variables, apiKeyHelper: helper });
  const run = await cli.run(agentRequest(cli));
  expect([run.failure, run.result.text, other.requests.length]).toEqual([undefined, "Hello from z.ai.", 0]);
  const headers = JSON.stringify(cli.api.requests.map((request) => request.headers));
  expect(headers).toContain("Bearer fake-key-of-the-suite");
  expect(headers).not.toMatch(/of-the-settings|of-the-helper/);
});
