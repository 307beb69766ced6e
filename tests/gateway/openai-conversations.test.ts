import type OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInput } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { readChatRequest } from "../../src/gateway/openai/chat.ts";
import { readResponsesRequest } from "../../src/gateway/openai/responses.ts";
import type { GatewayRequest } from "../../src/gateway/protocol.ts";
import type { Failure } from "../../src/spec/failure/failure.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import { answers } from "../support/clis/plays.ts";
import { openPlayed } from "./openai-gateway.ts";

const PIXEL = "iVBORw0KGgo=";
const IMAGE = { mediaType: "image/png", data: PIXEL };

function requestOf(read: GatewayRequest | Failure): RunRequest {
  if ("category" in read) throw new Error(read.message);
  return read.request;
}

const chat = (messages: readonly ChatCompletionMessageParam[], fields: object = {}): RunRequest =>
  requestOf(readChatRequest({ model: "m", messages, ...fields } as unknown as JsonObject));
const responses = (input: ResponseInput, fields: object = {}): RunRequest =>
  requestOf(readResponsesRequest({ model: "m", input, ...fields } as unknown as JsonObject));

/** A conversation with a system prompt, an image, calls at the same time and their results. */
const CONVERSATION = {
  system: "Be brief.",
  messages: [
    { role: "user", text: "What is this?", images: [IMAGE] },
    {
      role: "assistant",
      text: "I look.",
      toolCalls: [
        { id: "call_1", name: "look", args: { place: "Oslo", floor: 2.5, tags: ["a", null] } },
        { id: "call_2", name: "patch", args: { input: "free\ntext" } },
      ],
    },
    { role: "tool", callId: "call_1", text: "a harbour" },
    { role: "tool", callId: "call_2", text: "patched" },
    { role: "system", text: "Now in French." },
    { role: "user", text: "Go on." },
  ],
};

describe("both APIs give the same conversation", () => {
  const args = '{ "place": "Oslo", "floor": 2.50, "tags": ["a", null] }';

  it("of Chat Completions", () => {
    const read = chat([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}`, detail: "low" } },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "look", arguments: args } },
          { id: "call_2", type: "custom", custom: { name: "patch", input: "free\ntext" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "a harbour" }] },
      { role: "tool", tool_call_id: "call_2", content: "patched" },
      { role: "developer", content: "Now in French." },
      { role: "user", content: "Go on." },
    ]);
    expect(read).toEqual(CONVERSATION);
  });

  it("of Responses", () => {
    const read = responses(
      [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [] },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "I look.", annotations: [] }],
        },
        { type: "function_call", call_id: "call_1", name: "look", arguments: args },
        { type: "custom_tool_call", call_id: "call_2", name: "patch", input: "free\ntext" },
        { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "a harbour" }] },
        { type: "custom_tool_call_output", call_id: "call_2", output: "patched" },
        { role: "developer", content: "Now in French." },
        { role: "user", content: "Go on." },
      ],
      { instructions: "Be brief." },
    );
    expect(read).toEqual(CONVERSATION);
  });
});

it("an answer that reasoning divides is one message again, and two answers stay two", () => {
  const said = (text: string): ResponseInput[number] => ({ role: "assistant", content: text });
  const read = responses([
    { role: "user", content: "Go." },
    said("One."),
    { type: "reasoning", id: "rs_1", summary: [] },
    said("\n\nTwo."),
    said("Three."),
  ]);
  expect(read.messages).toEqual([
    { role: "user", text: "Go." },
    { role: "assistant", text: "One.\n\nTwo." },
    { role: "assistant", text: "Three." },
  ]);
});

it("arguments that are no JSON object stay readable for the model", () => {
  const call = (text: string) => ({ id: "c", type: "function", function: { name: "look", arguments: text } }) as const;
  const read = chat([
    { role: "user", content: "Go." },
    { role: "assistant", content: null, tool_calls: [call(""), call('{"place":'), call("[1]")] },
  ]);
  expect(read.messages?.[1]).toMatchObject({
    text: "",
    toolCalls: [{ args: {} }, { args: { invalid: '{"place":' } }, { args: { invalid: "[1]" } }],
  });
});

it("names of speakers, a refusal and an answer without text are kept", () => {
  const read = chat([
    { role: "user", name: "Ada", content: "Go." },
    { role: "assistant", name: "bot", refusal: "No." },
    { role: "user", content: "Why?" },
  ]);
  expect(read.messages).toEqual([
    { role: "user", name: "Ada", text: "Go." },
    { role: "assistant", name: "bot", text: "No." },
    { role: "user", text: "Why?" },
  ]);
});

it("the CLI gets the system prompt, the images and the settings, and stops at a stop sequence", async () => {
  const { openai, calls } = await openPlayed([answers("One. STOP Two.")]);
  const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    model: "plain",
    messages: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } }] },
    ],
    max_tokens: 20,
    reasoning_effort: "minimal",
    stop: [" STOP"],
  };
  const { choices } = await openai.chat.completions.create(body);
  expect(choices[0]).toMatchObject({ message: { content: "One." }, finish_reason: "stop" });
  expect(calls()[0]?.told).toMatchObject({ system: "Be brief.", images: [IMAGE], maxOutputTokens: 20, effort: "low" });
});
