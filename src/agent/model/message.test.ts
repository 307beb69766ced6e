import { AIMessage, type BaseMessageLike, coerceMessageLikeToMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { type MessageLike, textOf, toPlainMessage, toStored } from "./message.ts";

const CALL = { name: "look", args: { at: "sea" }, id: "1", type: "tool_call" } as const;
const FORMS: readonly (MessageLike & BaseMessageLike)[] = [
  "Hello",
  ["human", "Hello"],
  ["assistant", "Hi"],
  { role: "user", content: "Hello", name: "Ada", id: "m1" },
  { role: "system", content: "Be brief." },
  { role: "developer", content: "Be brief.", additional_kwargs: { kept: true } },
  { role: "assistant", content: "", tool_calls: [CALL] },
  {
    ...{ role: "assistant", content: "" },
    tool_calls: [{ id: "2", type: "function", function: { name: "look", arguments: '{"at":"sea"}' } }] as never,
  },
  // OpenAI's answers have null for what is missing.
  {
    role: "assistant",
    content: null as never,
    tool_calls: [{ id: "3", type: "function", function: { name: "look", arguments: "{}" } }] as never,
  },
  { role: "assistant", content: "Hi", tool_calls: null as never },
  { role: "tool", content: "Boats", tool_call_id: "1" },
  { type: "human", content: [{ type: "text", text: "Hello" }] },
  { type: "ai", content: "Hi", response_metadata: { model_name: "big" } },
  new HumanMessage("Hello"),
  new AIMessage({ content: "Hi", tool_calls: [CALL], response_metadata: { stop_reason: "end" } }),
  new ToolMessage({ content: "Boats", tool_call_id: "1", status: "error" }),
  JSON.parse(JSON.stringify(new AIMessage({ content: "Hi", tool_calls: [CALL] }))),
  JSON.parse(JSON.stringify(new HumanMessage("Hello"))),
];

it.each(FORMS.map((form) => [JSON.stringify(form), form] as const))("%s is stored as LangChain stores it", (_, form) => {
  const message = coerceMessageLikeToMessage(form);
  const stored = toStored(form);
  expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(message.toDict())));
  expect(textOf(stored)).toBe(message.text);
  expect(coerceMessageLikeToMessage(toPlainMessage(stored)).toDict()).toEqual(message.toDict());
});

it("keeps the content of a message that LangChain made of blocks", () => {
  const blocks = [{ type: "text", text: "Hello" } as const];
  const message = new HumanMessage({ contentBlocks: blocks });
  expect(toStored(message).data.content).toEqual(blocks);
  expect(textOf(toStored(message))).toBe("Hello");
});

it("keeps the arguments of a call that are no JSON", () => {
  const call = { id: "1", type: "function", function: { name: "look", arguments: '{"at":' } };
  const { data } = toStored({ role: "assistant", content: "", tool_calls: [call as never] });
  expect(data.tool_calls).toEqual([{ id: "1", name: "look", args: { invalid: '{"at":' }, type: "tool_call" }]);
});

it.each([
  { role: "captain", content: "Ahoy" },
  { role: "constructor", content: "Ahoy" },
  { role: "user" },
  { role: "tool", content: "Boats" },
  5,
  null,
  ["human"],
])("%j is no message", (form) => {
  expect(() => toStored(form as never)).toThrow(TypeError);
});
