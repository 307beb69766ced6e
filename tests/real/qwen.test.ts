import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { agentRequest, DONE } from "../support/real-clis/agent-request.ts";
import { qwen } from "../support/real-clis/rows/qwen.ts";
import { describeCli } from "./matrix/describe-cli.ts";
import { eventsOf, openRealCli, untilLeft } from "./open-real-cli.ts";

describeCli(qwen);

/** A stream that ends without a finish reason, after a text or within a call. */
function endsEarly(delta: object): FakeAnswer {
  const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta }] };
  return { kind: "garbage", contentType: "text/event-stream", body: `data: ${JSON.stringify(chunk)}\n\n` };
}

/** A call whose arguments are cut in the middle, with a finish reason after it. */
function cutCall(): FakeAnswer {
  const call = { index: 0, id: "call_cut", type: "function", function: { name: "run_shell_command", arguments: '{"comma' } };
  const chunk = (delta: object, reason: string | null): string => {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
  };
  const body = `${chunk({ content: "I call.", tool_calls: [call] }, null)}${chunk({}, "length")}data: [DONE]\n\n`;
  return { kind: "garbage", contentType: "text/event-stream", body };
}

describe("behaviour of real qwen only", () => {
  it("an answer that ends without a finish reason is reset, and only the second one is the answer", async () => {
    const cli = await openRealCli("qwen", [endsEarly({ content: "Half " }), { kind: "text", text: "A whole answer." }]);
    const run = await cli.run({ prompt: "Hello" });
    expect(run.result).toMatchObject({ text: "A whole answer.", finish: "stop" });
    const [half] = eventsOf(run, "text-delta");
    expect(half?.text).toBe("Half ");
    expect(eventsOf(run, "text-reset")).toMatchObject([{ messageId: half?.messageId }]);
  });

  it("a call that is cut in the middle is reset and never counts as run, and a background command is ended with the run, which does not wait for it", async () => {
    const input = { command: "sh -c 'sleep 6; touch late.txt'", is_background: true, description: "Sleeps" };
    const background = { kind: "tool-calls", calls: [{ name: "run_shell_command", input }] } as const;
    const cli = await openRealCli("qwen", [cutCall(), background, DONE]);
    const run = await cli.run(agentRequest(cli, { permissions: { mode: "bypass" } }));
    expect(run.result).toMatchObject({ text: "Done.", finish: "stop", toolCalls: [{ input }] });
    expect(run.result.toolCalls).toHaveLength(1);
    expect(eventsOf(run, "tool-reset")).toHaveLength(1);
    expect(eventsOf(run, "text-reset")).toHaveLength(1);
    expect(eventsOf(run, "tool-end")).toHaveLength(1);
    await untilLeft(run);
    await sleep(8_000);
    expect(existsSync(join(cli.workspace, "late.txt"))).toBe(false);
  });
});
