import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { ChatCli, createCliProvider, toChatModel } from "../../src/adapters/langchain/index.ts";

describe("values that are accepted as a model", () => {
  test("R45 R46 a chat model, an adapter and a name are all accepted, and each gives one model that is used again", () => {
    const chat = new ChatCli({ provider: "rehearsal" });
    const adapter = createCliProvider("rehearsal");
    expect(toChatModel(chat)).toBe(chat);
    expect(toChatModel(adapter)).toBe(toChatModel(adapter));
    expect(toChatModel("rehearsal/tool-caller")).toBe(toChatModel("rehearsal/tool-caller"));
    expect(toChatModel("rehearsal/tool-caller")).not.toBe(toChatModel("rehearsal"));
  });

  test("R45 R46 each of the three answers", async () => {
    const models = [new ChatCli({ provider: "rehearsal" }), createCliProvider("rehearsal"), "rehearsal"].map(toChatModel);
    const answers = await Promise.all(models.map((model) => model.invoke([new HumanMessage("Hello there")])));
    expect(answers.map(({ text }) => text)).toEqual(models.map(() => expect.stringContaining("rehearsal CLI")));
  });
});
