import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FakeAnswer, FakeToolCall } from "../../src/testing/index.ts";
import { agentRequest } from "../support/real-clis/agent-request.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const bypass = { permissions: { mode: "bypass" } } as const;

function inBackground(command: string): FakeToolCall {
  return { name: "Bash", input: { command, description: "Builds it", run_in_background: true } };
}

/** The model's answer after the CLI has reported its background work, and before. */
const answers = (call: FakeToolCall): readonly FakeAnswer[] => [
  { kind: "tool-calls", calls: [call] },
  { kind: "text", text: "Started." },
  { kind: "text", text: "It is built." },
];

it("a run of claude with a background command ends after the command, with the answer of its last turn", async () => {
  const cli = await openRealCli("claude", answers(inBackground("sleep 2; echo built > built.txt")));
  const run = await cli.run(agentRequest(cli, bypass));
  expect(run.result).toMatchObject({ text: "It is built.", finish: "stop", warnings: [] });
  expect(existsSync(join(cli.workspace, "built.txt"))).toBe(true);
  expect(
    eventsOf(run, "text-delta")
      .map(({ text }) => text)
      .join(""),
  ).toBe("Started.It is built.");
  expect(new Set(eventsOf(run, "text-end").map(({ messageId }) => messageId)).size).toBe(2);
  expect(eventsOf(run, "session-start")).toHaveLength(1);
  expect(run.result.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
  expect(run.result.costUsd).toBeGreaterThan(0);
});

it("background work of claude that ends while the model answers is reported to the model in the same run", async () => {
  const spoken: FakeAnswer = { kind: "text", text: "I go on speaking.", deltas: 4, delayMs: 1_000 };
  const [call, , last] = answers(inBackground("sleep 1; echo built"));
  const cli = await openRealCli(
    "claude",
    [call, spoken, last].flatMap((answer) => answer ?? []),
  );
  const run = await cli.run(agentRequest(cli, bypass));
  expect(run.result.text).toBe("It is built.");
  expect(cli.api.modelRequests).toHaveLength(3);
});

it("a run waits for a background sub-agent of claude, whose text is not the answer", async () => {
  const input = { description: "Builds it", prompt: "Build it slowly.", subagent_type: "general-purpose" };
  const cli = await openRealCli("claude");
  const main: FakeAnswer[] = [...answers({ name: "Agent", input })];
  cli.api.answerWith((request) => {
    const first = JSON.stringify(request.body).includes('"Build it slowly."') && !JSON.stringify(request.body).includes("Do it.");
    if (first) return { kind: "text", text: "The sub-agent speaks.", deltas: 3, delayMs: 700 };
    return main.shift() ?? { kind: "text", text: "It is built." };
  });
  const run = await cli.run(agentRequest(cli, bypass));
  expect(run.result.text).toBe("It is built.");
  expect(eventsOf(run, "text-delta").filter(({ parentToolId }) => parentToolId !== undefined)).not.toEqual([]);
});

it("background work of claude that never ends is stopped by its timeout, and the answer counts", async () => {
  const cli = await openRealCli("claude", answers(inBackground("while true; do sleep 1; done")));
  const run = await cli.run(agentRequest(cli, { ...bypass, timeouts: { backgroundMs: 3_000 } }));
  expect(run.result).toMatchObject({ text: "Started.", finish: "stop" });
  expect(run.result.warnings).toMatchObject([{ code: "background-unfinished", message: expect.stringContaining("Builds it") }]);
});

it("claude starts no background work if the request forbids it", async () => {
  const cli = await openRealCli("claude", answers(inBackground("sleep 2; echo built > built.txt")));
  const run = await cli.run(agentRequest(cli, { ...bypass, backgroundTasks: "off" }));
  expect(run.result.text).toBe("Started.");
  expect(run.result.toolCalls).toMatchObject([{ name: "Bash", isError: true }]);
  expect(existsSync(join(cli.workspace, "built.txt"))).toBe(false);
});
