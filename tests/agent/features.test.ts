import { expect, it } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { createAgent } from "../../src/agent/index.ts";
import { ScriptedModel } from "../support/agents/scripted-model.ts";

it("R201 createAgent refuses the features that the matrix refuses, for a CLI and for any chat model", () => {
  const features = { toolSearch: true };
  for (const model of ["cli:claude", new ChatCli({ provider: "claude" }), new ScriptedModel("Hi"), "openai:gpt-5.5"])
    expect(() => createAgent({ model, features })).toThrow(/does not take tool search/);
  expect(() => createAgent({ model: "cli:claude", features: { telepathy: true } as never })).toThrow(TypeError);
});

it("R200 R201 a feature that stays off is a warning of the result", async () => {
  const model = new ScriptedModel("Hi");
  const agent = createAgent({ model, features: { smartRouting: true, toolSearch: true }, compatibility: "lenient" });
  const { warnings } = await agent.ask("Hello").result();
  expect(warnings.map(({ code, message }) => `${code} ${message.split(" ")[0]}`)).toEqual([
    "feature-off Smart",
    "feature-off Tool",
  ]);
});
