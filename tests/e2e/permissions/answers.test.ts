import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../../src/agent/index.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { PermissionAnswer } from "../../../src/spec/stream.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { ScriptedModel } from "../../support/agents/scripted-model.ts";
import { createClientInScope } from "../../support/clis/rehearsal-client.ts";

const WAIT_MS = 150;
const DENIED: PermissionAnswer = { behavior: "deny", message: "Not on a Sunday." };

describe("the answer of a host to the question of a CLI", () => {
  it("a denial is reported when it happens, with the host's reason, and once", async () => {
    const { events, permissionDenials } = await askForTime(DENIED);
    expect(typesOf(events)).toEqual(["tool-start", "tool-call", "permission-request", "permission-denied", "tool-end"]);
    expect(permissionDenials).toMatchObject([{ name: "Clock", input: { zone: "UTC" }, reason: "Not on a Sunday." }]);
  });

  it("the end of a call has the input that ran, as the host changed it", async () => {
    const { toolCalls } = await askForTime({ behavior: "allow", updatedInput: { zone: "CET" } });
    expect(toolCalls).toMatchObject([{ input: { zone: "CET" }, output: 'The clock has no zone "CET".', isError: true }]);
  });

  it.each<PermissionAnswer>([{ behavior: "allow" }, DENIED])(
    "the duration of a call is without the wait for the answer: %j",
    async (answer) => {
      const { toolCalls, events } = await askForTime(answer);
      const at = (type: RunEvent["type"]): number => events.find((event) => event.type === type)?.atMs ?? 0;
      const { durationMs = 0, permissionWaitMs = 0 } = toolCalls[0] ?? {};
      expect(permissionWaitMs).toBeGreaterThanOrEqual(WAIT_MS - 5);
      expect(durationMs + permissionWaitMs).toBe(at("tool-end") - at("tool-start"));
    },
  );

  it("a call about which nobody was asked has no wait", async () => {
    const request = { mode: "agent", prompt: "What time is it?", permissions: { allow: ["Clock"] } } as const;
    const { toolCalls } = await createClientInScope().run("rehearsal/tool", request).result();
    expect(toolCalls).toHaveLength(1);
    expect(toolCalls[0]).not.toHaveProperty("permissionWaitMs");
  });

  it("a run that is cancelled during the question has no duration of the wait", async () => {
    const cancelling = new AbortController();
    const onPermission = async (): Promise<PermissionAnswer> => {
      await delay(WAIT_MS);
      cancelling.abort();
      return await new Promise(() => {});
    };
    const request = { mode: "agent", prompt: "What time is it?" } as const;
    const context = { onPermission, signal: cancelling.signal };
    const { toolCalls } = await createClientInScope().run("rehearsal/tool", request, context).outcome();
    expect(toolCalls).toMatchObject([{ name: "Clock", synthetic: true }]);
    expect(toolCalls[0]?.permissionWaitMs).toBeGreaterThanOrEqual(WAIT_MS - 5);
  });

  it("an agent reports the input that ran, the reason of a denial, and the wait", async () => {
    const model = new ScriptedModel(
      [
        { name: "write", args: { text: "a" } },
        { name: "send", args: {} },
      ],
      "Done.",
    );
    const tools = ["write", "send"].map((name) => ({ name, run: () => "done" }));
    const onPermission = async ({ name }: { readonly name: string }): Promise<PermissionAnswer> => {
      await delay(WAIT_MS);
      return name === "send" ? DENIED : { behavior: "allow", updatedInput: { text: "b" } };
    };
    const agent = createAgent({ model, tools: tools as never, approval: "approve" });
    const { toolCalls, permissionDenials } = await agent.ask("Go", { onPermission }).result();
    expect(toolCalls).toMatchObject([{ name: "write", input: { text: "b" } }]);
    expect(toolCalls[0]?.permissionWaitMs).toBeGreaterThanOrEqual(WAIT_MS - 5);
    expect(permissionDenials).toMatchObject([{ name: "send", reason: "Not on a Sunday." }]);
  });
});

/** Asks the model `tool`, which calls the tool Clock of its CLI; the host answers after a wait. */
async function askForTime(answer: PermissionAnswer): Promise<RunResult & { readonly events: readonly RunEvent[] }> {
  const onPermission = async (): Promise<PermissionAnswer> => {
    await delay(WAIT_MS);
    return answer;
  };
  const request = { mode: "agent", prompt: "What time is it?" } as const;
  const run = createClientInScope().run("rehearsal/tool", request, { onPermission, keepEvents: true });
  const result = await run.result();
  return { ...result, events: result.events ?? [] };
}

function typesOf(events: readonly RunEvent[]): readonly string[] {
  return events.map(({ type }) => type).filter((type) => /^(?:permission-|tool-(?:start|call|end))/.test(type));
}
