import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ToolCallRecord } from "../../src/spec/result.ts";
import type { PermissionAnswer } from "../../src/spec/stream.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { agentRequest, agentTargetOf, DONE, shellCall } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { type OpenRealCli, openRealCli, type RealRun } from "./open-real-cli.ts";

const WAIT_MS = 400;
const DENIED: PermissionAnswer = { behavior: "deny", message: "Not on a Sunday." };
const EDITED = { command: "touch edited.txt" };

describe("the answer of a host to a question of a real CLI", () => {
  it("claude reports a denial when it happens, the input that ran, and the wait apart from the duration", async () => {
    const { cli, run } = await answerTwice("claude");
    expect(madeIn(cli)).toEqual(["edited.txt"]);
    expect(run.result.toolCalls).toMatchObject([
      { output: "Not on a Sunday.", isError: true },
      { input: EDITED, isError: false },
    ]);
    expectDeniedInTime(run, 1);
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toBe("Not on a Sunday.");
  });

  it("codex keeps the reason of a denial, tells it to the model, and does not run a changed command", async () => {
    const { cli, run } = await answerTwice("codex");
    expect(madeIn(cli)).toEqual([]);
    expect(run.result.toolCalls).toMatchObject([
      { input: { command: expect.stringContaining("first.txt") }, output: "Not on a Sunday.", isError: true },
      { input: { command: expect.stringContaining("second.txt") }, isError: true },
    ]);
    expectDeniedInTime(run, 2);
    expect(run.result.warnings).toMatchObject([{ code: "input-unchangeable" }]);
    expect(modelRequestsOf(cli).map(({ user }) => user.filter((text) => text.includes("Sunday")).length)).toEqual([0, 1, 1]);
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toBe("The call was denied: Not on a Sunday.");
  });

  it("gemini reports no end of a denied call: it ended with its denial", async () => {
    const { cli, run } = await answerTwice("gemini");
    expect(madeIn(cli)).toEqual([]);
    expect(run.result.toolCalls).toMatchObject([{ output: "Not on a Sunday.", isError: true }, { isError: true }]);
    expect(run.result.toolCalls.filter((call) => "synthetic" in call)).toEqual([]);
    expectDeniedInTime(run, 2);
    expect(run.result.warnings).toMatchObject([{ code: "input-unchangeable" }]);
  });

  it("qwen ends its turn after a denial, and the reason is in the result", async () => {
    const { cli, run } = await answerTwice("qwen");
    expect(madeIn(cli)).toEqual([]);
    expect(run.result.toolCalls).toMatchObject([{ isError: true }]);
    expectDeniedInTime(run, 1);
  });
});

/** The host denies the first command and changes the second, each after a wait. */
async function answerTwice(name: "claude" | "codex" | "gemini" | "qwen"): Promise<{ cli: OpenRealCli; run: RealRun }> {
  const cli = await openRealCli(name, [shell(name, "touch first.txt"), shell(name, "touch second.txt"), DONE]);
  const answers: PermissionAnswer[] = [DENIED, { behavior: "allow", updatedInput: EDITED }];
  const onPermission = async (): Promise<PermissionAnswer> => {
    await delay(WAIT_MS);
    return answers.shift() ?? DENIED;
  };
  const run = await cli.run(agentRequest(cli), { context: { onPermission }, target: agentTargetOf(name) });
  for (const call of run.result.toolCalls) expectWaitApart(call, run.events);
  return { cli, run };
}

function shell(name: "claude" | "codex" | "gemini" | "qwen", command: string): FakeAnswer {
  // Codex asks about a command in default mode only if the model wants to leave the sandbox.
  const escalated = { cmd: command, sandbox_permissions: "require_escalated", justification: "May I?" };
  return {
    kind: "tool-calls",
    calls: [name === "codex" ? { name: "exec_command", input: escalated } : shellCall(name, command)],
  };
}

function expectWaitApart({ id, durationMs, permissionWaitMs = 0 }: ToolCallRecord, events: readonly RunEvent[]): void {
  const at = (type: RunEvent["type"]): number =>
    events.find((event) => event.type === type && "id" in event && event.id === id)?.atMs ?? 0;
  expect(permissionWaitMs).toBeGreaterThanOrEqual(WAIT_MS - 5);
  expect(durationMs + permissionWaitMs).toBeLessThanOrEqual(at("tool-end") - at("tool-start"));
}

/** Each denial comes before the end of its call and before the answer; the host's reason is in the first. */
function expectDeniedInTime({ events, result }: RealRun, count: number): void {
  const types = events.map(({ type }) => type);
  expect(result.permissionDenials).toHaveLength(count);
  expect(result.permissionDenials[0]).toMatchObject({ id: result.toolCalls[0]?.id, reason: "Not on a Sunday." });
  expect(types.indexOf("permission-denied")).toBe(types.indexOf("permission-request") + 1);
  expect(types.indexOf("permission-denied")).toBeLessThan(types.indexOf("tool-end"));
}

function madeIn(cli: OpenRealCli): readonly string[] {
  return readdirSync(cli.workspace).filter((file) => file !== "package.json");
}
