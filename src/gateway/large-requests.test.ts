import { expect, it } from "vitest";
import { anthropicMessages } from "./anthropic/protocol.ts";
import { chatCompletions } from "./openai/chat.ts";
import { createResponses } from "./openai/responses.ts";

/** So many entries fit into a body of 32 MB. */
const MANY = 150_000;
const entries = <Entry>(make: (index: number) => Entry): Entry[] => Array.from({ length: MANY }, (_, index) => make(index));

// Each took minutes when its time grew with the square of the entries; now each takes less than a second.
const LIMIT_MS = 60_000;

it("an answer with very many calls is read in one pass", { timeout: LIMIT_MS }, () => {
  const input = entries((index) => ({ type: "function_call", call_id: `${index}`, name: "look", arguments: "" }));
  const asked = createResponses().read({ model: "rehearsal", input });
  expect(asked).toMatchObject({ request: { messages: [{ role: "assistant" }] } });
  expect("request" in asked && asked.request.messages?.[0]).toHaveProperty("toolCalls.length", MANY);
});

it("a choice among very many tools is read in one pass", { timeout: LIMIT_MS }, () => {
  const tools = entries((index) => ({ type: "function", function: { name: `tool${index}` } }));
  const asked = chatCompletions.read({
    model: "rehearsal",
    messages: [{ role: "user", content: "hi" }],
    tools,
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: tools.toReversed() } },
  });
  expect(asked).toHaveProperty("request.tools.length", MANY);
});

it("very many results of tools in one message are read", { timeout: LIMIT_MS }, () => {
  const content = entries((index) => ({ type: "tool_result", tool_use_id: `${index}` }));
  const asked = anthropicMessages.read({ model: "rehearsal", max_tokens: 1, messages: [{ role: "user", content }] });
  expect(asked).toHaveProperty("request.messages.length", MANY);
});
