import { InMemoryCache } from "@langchain/core/caches";
import { AIMessage, AIMessageChunk, getBufferString, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { RunError } from "../../src/spec/failure/run-error.ts";
import { PNG } from "./chat-model-suite/images.ts";
import type { ModelFields } from "./chat-model-suite/subject.ts";
import { rehearsalSubject, scriptedSubject } from "./program-subject.ts";

// LangChain's checks of a model that answers (langchainjs, internal/standard-tests, integration tests): conversation and content.
// Those about tools are in standard-tools.test.ts.

const HELLO = { kind: "text", text: "Hello! How are you today?" } as const;
const open = (fields?: ModelFields) => scriptedSubject.open([HELLO], fields);

async function drain(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<readonly AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}

function expectAnswer(message: unknown): void {
  expect(message).toBeInstanceOf(AIMessage);
  expect(AIMessage.isInstance(message) && message.text).toBe(HELLO.text);
}

describe("LangChain's checks of a conversation", () => {
  it("1: invoke gives an AI message with text", async () => {
    expectAnswer(await (await open()).model.invoke("Hello"));
  });

  it("2: every piece of a stream is a chunk with content, and together they have text", async () => {
    const chunks = await drain((await open()).model.stream("Hello"));
    expect(chunks.every((chunk) => AIMessageChunk.isInstance(chunk) && typeof chunk.content === "string")).toBe(true);
    expect(chunks.map(({ content }) => content).join("")).toBe(HELLO.text);
  });

  it("3: a batch gives an answer for each input", async () => {
    const answers = await (await open()).model.batch(["Hello", "Hey"]);
    expect(answers).toHaveLength(2);
    for (const answer of answers) expectAnswer(answer);
  });

  it("4: streamEvents starts, streams and ends, and its end is the sum of its chunks", async () => {
    const events: {
      readonly event: string;
      readonly data: { readonly chunk?: AIMessageChunk; readonly output?: AIMessageChunk };
    }[] = [];
    for await (const event of (await open()).model.streamEvents("Hello", { version: "v2" })) events.push(event);
    expect([events[0]?.event, events.at(-1)?.event]).toEqual(["on_chat_model_start", "on_chat_model_end"]);
    expect(events.slice(1, -1).every(({ event }) => event === "on_chat_model_stream")).toBe(true);
    const pieces = events.flatMap(({ data }) => data.chunk?.text ?? []).join("");
    expect([pieces, events.at(-1)?.data.output?.text]).toEqual([HELLO.text, HELLO.text]);
  });

  it("5: a conversation of people and the model is answered", async () => {
    const { model } = await open();
    expectAnswer(await model.invoke([new HumanMessage("hello"), new AIMessage("hello"), new HumanMessage("how are you")]));
  });

  it("6: two messages of each role in a row are answered", async () => {
    const { model } = await open();
    const roles = [SystemMessage, SystemMessage, HumanMessage, HumanMessage, AIMessage, AIMessage];
    expectAnswer(await model.invoke([...roles.map((Role) => new Role("hello")), new HumanMessage("how are you")]));
  });

  it("7: an answer has its usage and the name of its model", async () => {
    const message = await (await open()).model.invoke("Hello");
    expect(message.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 20, total_tokens: 120 });
    expect(message.response_metadata["model"]).toBe("scripted-model");
  });

  it("8: a stream has the same usage as an answer", async () => {
    const whole = (await drain((await open()).model.stream("Hello"))).reduce((message, chunk) => message.concat(chunk));
    expect(whole.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 20, total_tokens: 120 });
  });

  it("9: a stop sequence of a call, and one of the model, end the answer", async () => {
    expect((await (await open()).model.invoke("hi", { stop: ["you"] })).content).toBe("Hello! How are ");
    expect((await (await open({ stop: ["you"] })).model.invoke("hi")).content).toBe("Hello! How are ");
  });

  it("10: an answer to a message of blocks is cached once, and given again as it was", async () => {
    const { model, told } = await open({ cache: new InMemoryCache() });
    const messages = [new HumanMessage({ content: [{ type: "text", text: "Hello there!" }] })];
    const first = await model.invoke(messages);
    const key = model._getSerializedCacheKeyParametersForCall({});
    const cached = await model.cache?.lookup(getBufferString(messages), key);
    expect(cached).toMatchObject([{ message: { content: HELLO.text } }]);
    expect(await model.invoke(messages)).toEqual(first);
    expect(told()).toHaveLength(1);
  });
});

describe("LangChain's checks of standard content blocks", () => {
  const image = { type: "image", mimeType: "image/png" } as const;

  it("11: a block of text is answered", async () => {
    expectAnswer(await (await open()).model.invoke([new HumanMessage({ content: [{ type: "text", text: "Hello." }] })]));
  });

  it.each([
    { ...image, data: PNG },
    { ...image, url: `data:image/png;base64,${PNG}` },
    { type: "image", source_type: "url", url: `data:image/png;base64,${PNG}` },
  ])("12: an image as data or as a data URL is sent", async (block) => {
    const { model, told } = await open();
    expectAnswer(await model.invoke([new HumanMessage({ content: [block] })]));
    expect(told()[0]).toContain(PNG);
  });

  it.each([
    { ...image, url: "https://pictures.example/dot.png" },
    { type: "audio", mimeType: "audio/wav", data: "UklGRg==" },
    { type: "file", mimeType: "text/plain", data: "SGVsbG8=" },
    { type: "video", mimeType: "video/mp4", data: "AAAA" },
  ])("13: audio, files, video and links to images are refused by name ($type)", async (block) => {
    const { model, told } = await rehearsalSubject.open([HELLO]);
    const refused = await model.invoke([new HumanMessage({ content: [block] })]).catch((error: unknown) => error);
    expect(RunError.is(refused) && refused.failure).toMatchObject({
      code: "option-unsupported",
      message: expect.stringMatching(new RegExp(block.type, "i")),
    });
    expect(told()).toEqual([]);
  });
});
