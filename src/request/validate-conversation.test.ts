import { expect, it } from "vitest";
import { validateConversation } from "./settle.ts";

// It took minutes when its time grew with the square of the tools; now it takes less than a second.
it("very many tools are checked in one pass, and a repeated one is found", { timeout: 60_000 }, () => {
  const tools = Array.from({ length: 400_000 }, (_, index) => ({ name: `tool${index}` }));
  expect(validateConversation({ prompt: "hi", tools })).toBeUndefined();
  expect(validateConversation({ prompt: "hi", tools: [...tools, { name: "tool7" }] })?.message).toBe(
    'Two tools are called "tool7".',
  );
});
