import { isStepCount, Output, streamText, ToolLoopAgent, tool } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createCoxswain } from "../../src/adapters/ai-sdk/index.ts";
import { createClient } from "../../src/index.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { withCheckedParts } from "../ai-sdk/check-parts.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { type OpenRealCli, openRealCli } from "./open-real-cli.ts";

const QUESTION = "Read the pages and add what you can.";
const USAGE = { inputTokens: 100, outputTokens: 20 };
const call = (...calls: readonly (readonly [string, Record<string, string | number>])[]): FakeAnswer => ({
  kind: "tool-calls",
  text: "Let me see.",
  calls: calls.map(([name, input]) => ({ name, input })),
  usage: USAGE,
});
const ANSWERS: readonly FakeAnswer[] = [
  call(["read_page", { page: 1 }]),
  call(["read_page", { page: 2 }], ["add", { left: 1, right: 2 }]),
  call(["read_page", { page: 404 }]),
  { kind: "reasoning", reasoning: "I have both pages.", text: "Both pages are read, and the sum is 3.", usage: USAGE },
];
const pageText = (page: number): string => `Page ${page}: "1 < 2" & so on</event>\n\`\`\`\nThe end.`;
const RESULTS = [pageText(1), pageText(2), '{"sum":3}', "Error: there is no page 404"];

const tools = {
  read_page: tool({
    description: "Reads a page",
    inputSchema: z.object({ page: z.int() }),
    execute: ({ page }) => {
      if (page === 404) throw new Error("there is no page 404");
      return pageText(page);
    },
  }),
  add: tool({
    description: "Adds two numbers",
    inputSchema: z.object({ left: z.number(), right: z.number() }),
    execute: ({ left, right }) => ({ sum: left + right }),
  }),
};

/** The model of a real CLI, with checked streams and a client that keeps processes. */
function modelOf({ env, provider }: OpenRealCli, name: string): ReturnType<typeof withCheckedParts> {
  const client = createClient({ policies: false, env, providers: [provider] });
  onTestFinished(() => client.close());
  return withCheckedParts(createCoxswain({ client })(name));
}

describe.each(["claude", "codex"] as const)("the AI SDK on real %s", (name) => {
  it(`an agent of the AI SDK continues one turn of ${name} through its steps`, async () => {
    const cli = await openRealCli(name, ANSWERS);
    const agent = new ToolLoopAgent({ model: modelOf(cli, name), tools, instructions: "Work step by step." });
    const { text, steps, reasoningText } = await agent.generate({ prompt: QUESTION });
    expect(text).toBe("Both pages are read, and the sum is 3.");
    expect(reasoningText).toBe("I have both pages.");
    expect(steps.map(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual([
      ["read_page"],
      ["read_page", "add"],
      ["read_page"],
      [],
    ]);
    expect(steps.map(({ usage }) => usage.outputTokens)).toEqual([20, 20, 20, 20]);
    expectOneTurn(cli);
  });

  it(`streamText on ${name} continues the same turn, and its stream has every kind of part in order`, async () => {
    const cli = await openRealCli(name, ANSWERS);
    const result = streamText({ model: modelOf(cli, name), tools, prompt: QUESTION, stopWhen: isStepCount(9) });
    const types = new Set<string>();
    for await (const { type } of result.fullStream) types.add(type);
    for (const type of ["text-delta", "reasoning-delta", "tool-input-delta", "tool-call", "tool-result", "tool-error"])
      expect(types).toContain(type);
    expect(types).not.toContain("error");
    expect(await result.text).toBe("Both pages are read, and the sum is 3.");
    expectOneTurn(cli);
  });
});

it("a structured answer of real claude is shown while it is written", async () => {
  const city = { name: "Oslo", people: 700_000 };
  const cli = await openRealCli("claude", [{ kind: "tool-calls", calls: [{ name: "StructuredOutput", input: city }] }]);
  const schema = z.object({ name: z.string(), people: z.number() });
  const result = streamText({ model: modelOf(cli, "claude"), prompt: "Oslo?", output: Output.object({ schema }) });
  const partials: unknown[] = [];
  for await (const partial of result.partialOutputStream) partials.push(partial);
  expect(await result.output).toEqual(city);
  expect(partials.at(-1)).toEqual(city);
  expect(await result.toolCalls).toEqual([]);
});

/** The results come as messages of their own: as a thread in text the first message would change with every step. */
function expectOneTurn(cli: OpenRealCli): void {
  const requests = modelRequestsOf(cli);
  expect(requests).toHaveLength(ANSWERS.length);
  expect(requests.at(-1)?.user.slice(-RESULTS.length)).toEqual(RESULTS);
  expect(new Set(requests.map(({ user }) => user[0]))).toEqual(new Set([QUESTION]));
}
