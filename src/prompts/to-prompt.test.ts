import { expect, it } from "vitest";
import type { Message } from "../spec/message.ts";
import { canBeMessages } from "./to-prompt.ts";

const user = (text: string): Message => ({ role: "user", text });
const call = (id: string): Message => ({ role: "assistant", text: "", toolCalls: [{ id, name: "look", args: {} }] });
const result = (callId: string, text = "rain"): Message => ({ role: "tool", callId, text });
const ANSWER: Message = { role: "assistant", text: "Hello." };

it.each<[string, readonly Message[]]>([
  ["an answer and a next message", [user("Hi"), ANSWER, user("Bye")]],
  ["calls with their results", [user("Hi"), call("1"), result("1"), ANSWER, user("Again"), call("2"), result("2")]],
  ["a system message in the middle", [user("Hi"), ANSWER, { role: "system", text: "Rhyme." }, user("Bye")]],
  ["an image of the user", [user("Hi"), ANSWER, { ...user("This?"), images: [{ mediaType: "image/png", data: "" }] }]],
])("%s can be messages", (_what, messages) => {
  expect(canBeMessages(messages)).toBe(true);
});

it.each<[string, readonly Message[]]>([
  ["an answer at the end", [user("Hi"), ANSWER]],
  ["a blank last message", [user("Hi"), ANSWER, user(" ")]],
  ["a blank message before", [user(""), ANSWER, user("Bye")]],
  ["a named speaker", [{ ...user("Hi"), name: "Ada" }, ANSWER, user("Bye")]],
  ["a role of its own", [{ role: "other", label: "critic", text: "No." }, user("Bye")]],
  ["a call without a result", [user("Hi"), call("1"), user("Bye")]],
  ["a result without a call", [user("Hi"), ANSWER, result("1")]],
  ["a result that comes late", [user("Hi"), call("1"), ANSWER, result("1")]],
  ["an id that comes twice", [user("Hi"), call("1"), result("1"), call("1"), result("1")]],
  ["a long result", [user("Hi"), call("1"), result("1", "x".repeat(40_001))]],
  ["an image of a tool", [user("Hi"), call("1"), { ...result("1"), images: [{ mediaType: "image/png", data: "" }] }]],
])("%s stays a thread", (_what, messages) => {
  expect(canBeMessages(messages)).toBe(false);
});
