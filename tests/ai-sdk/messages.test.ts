import { generateText, streamText, tool } from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { CoxswainProviderOptions } from "../../src/adapters/ai-sdk/index.ts";
import { createCoxswain } from "../../src/adapters/ai-sdk/index.ts";
import { toMessages } from "../../src/adapters/ai-sdk/to-messages.ts";
import { openFleet } from "../support/clis/open-fleet.ts";
import { playedCli } from "../support/clis/played-cli.ts";
import { answers, fails } from "../support/clis/plays.ts";
import { openPlayed } from "./open-models.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

describe("a conversation of the AI SDK", () => {
  it("reaches the CLI with its system prompt, images and the settings of the call", async () => {
    const changes = { one: { options: [...playedCli.options, "images", "effort"] as const } };
    const { model, fleet } = openPlayed([answers("Fine.")], { changes }, { defaults: { effort: "low", system: "First." } });
    await generateText({
      model,
      system: "Be brief.",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "file", mediaType: "image/png", data: PNG },
            { type: "file", mediaType: "image", data: Buffer.from(PNG, "base64") },
          ],
        },
      ],
      providerOptions: { coxswain: { effort: "high", session: { id: "11111111-2222-4333-8444-666666666666" } } },
    });
    expect(fleet.calls("one")).toMatchObject([
      {
        prompt: "What is this?",
        told: {
          system: "First.\n\nBe brief.",
          effort: "high",
          session: { id: "11111111-2222-4333-8444-666666666666" },
          images: [
            { mediaType: "image/png", data: PNG },
            { mediaType: "image/png", data: PNG },
          ],
        },
      },
    ]);
  });

  it("keeps calls, results, errors and denials, and leaves out reasoning and tools of the CLI", () => {
    const cliTool = { toolCallId: "cli_1", toolName: "Read", providerExecuted: true };
    const output = { type: "text", value: "kept by the CLI" } as const;
    const messages = toMessages([
      { role: "system", content: "Be brief." },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "One." },
          { type: "tool-call", ...cliTool, input: {} },
          { type: "tool-result", toolCallId: "cli_1", toolName: "Read", output },
          { type: "text", text: "\n\nTwo." },
          { type: "tool-call", toolCallId: "call_1", toolName: "look", input: { at: 1 } },
          { type: "tool-call", toolCallId: "call_2", toolName: "look", input: "no object" },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "call_1", toolName: "look", output: { type: "json", value: { boats: 8 } } },
          {
            type: "tool-result",
            toolCallId: "call_2",
            toolName: "look",
            output: { type: "execution-denied", reason: "Not today." },
          },
        ],
      },
    ]);
    expect(messages).toEqual([
      { role: "system", text: "Be brief." },
      {
        role: "assistant",
        text: "One.\n\nTwo.",
        toolCalls: [
          { id: "call_1", name: "look", args: { at: 1 } },
          { id: "call_2", name: "look", args: { invalid: "no object" } },
        ],
      },
      { role: "tool", callId: "call_1", name: "look", text: '{"boats":8}' },
      { role: "tool", callId: "call_2", name: "look", text: "Not today.", isError: true },
    ]);
  });

  it("images of a tool's result are sent too", () => {
    const value = [
      { type: "text" as const, text: "The chart:" },
      { type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data: PNG } },
    ];
    const content = [
      { type: "tool-result" as const, toolCallId: "c", toolName: "chart", output: { type: "content" as const, value } },
    ];
    expect(toMessages([{ role: "tool", content }])).toEqual([
      { role: "tool", callId: "c", name: "chart", text: "The chart:", images: [{ mediaType: "image/png", data: PNG }] },
    ]);
  });

  it("the settings below providerOptions.coxswain have a type that the AI SDK takes", () => {
    const settings: CoxswainProviderOptions = {
      mode: "agent",
      addDirs: ["/tmp"],
      permissions: { mode: "plan", allow: ["Read"] },
      session: { resume: "id" },
      timeouts: { totalMs: 5 },
      mcpServers: { boats: { command: "boats", args: ["-v"] } },
      env: { A: "b" },
      budget: { usd: 1 },
      transport: "spawn",
    };
    type Given = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>[string];
    expectTypeOf(settings).toExtend<Given>();
    // @ts-expect-error There is no such mode.
    const wrong: CoxswainProviderOptions = { mode: "robot" };
    expect(wrong.mode).toBe("robot");
  });

  it("a denial of the CLI, its fallback and its attempts are in the metadata of a stream too", async () => {
    const denied = { id: "t1", name: "Bash", input: { command: "rm" } };
    const fleet = openFleet({
      one: [fails("server-error")],
      two: [answers("Done.", { costUsd: 0.5, before: [{ events: [{ type: "permission-denied", ...denied }] }] })],
    });
    const model = createCoxswain({ client: fleet.client })("one, two");
    const result = streamText({ model, prompt: "Go.", providerOptions: { coxswain: { mode: "agent" } } });
    await result.consumeStream();
    expect((await result.finalStep).providerMetadata).toMatchObject({
      coxswain: { provider: "two", attempts: 4, costUsd: 0.5, permissionDenials: [{ name: "Bash", input: { command: "rm" } }] },
    });
  });

  it("a tool without arguments is called with none", async () => {
    const { model } = openPlayed([
      answers('```json\n{"mark":"{{mark}}","tool_calls":[{"name":"ping","args":{},"id":"c1"}]}\n```'),
    ]);
    const ping = tool({ inputSchema: z.object({}), execute: () => "pong" });
    expect((await generateText({ model, tools: { ping }, prompt: "Go." })).toolResults).toMatchObject([{ output: "pong" }]);
  });
});
