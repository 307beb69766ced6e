import { AIMessage, type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { StructuredTool, tool } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readThread } from "../support/runs/read-thread.ts";
import { callsOf } from "./chat-model-suite/example-tools.ts";
import type { PlannedCall } from "./chat-model-suite/subject.ts";
import { scriptedSubject } from "./program-subject.ts";

// LangChain's checks of a model with tools and schemas (langchainjs, internal/standard-tests, integration tests).

const SUM = z.object({ left: z.int().describe("One number"), right: z.int() }).describe("Adds two numbers");
const ADD: PlannedCall = { name: "add_numbers", args: { left: 3, right: 4 } };
const CALL = { ...ADD, id: "abc123", type: "tool_call" as const };
const ASK = ChatPromptTemplate.fromMessages([
  ["system", "Always use {name}."],
  ["human", "How much is 3 and 4?"],
]);

class AddNumbers extends StructuredTool {
  override name = ADD.name;
  override description = "Adds two numbers";
  override schema = SUM;

  protected override async _call({ left, right }: { readonly left: number; readonly right: number }): Promise<string> {
    return JSON.stringify({ sum: left + right });
  }
}

const calling = (...calls: readonly PlannedCall[]) => scriptedSubject.open([{ kind: "calls", calls }]);
const telling = () => scriptedSubject.open([{ kind: "text", text: "It is seven." }]);

async function join(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks.reduce((message, chunk) => message.concat(chunk));
}

describe("LangChain's checks of tools", () => {
  it("1: a tool is called with its arguments, under an id", async () => {
    const message = await (await calling(ADD)).model.bindTools([new AddNumbers()]).invoke("How much is 3 and 4?");
    expect(message.tool_calls).toEqual([{ ...CALL, id: expect.stringMatching(/\S/) }]);
  });

  it("2: a runnable can be bound as a tool", async () => {
    const runnable = RunnableLambda.from(() => undefined).asTool({ name: ADD.name, description: "Adds", schema: SUM });
    const message = await ASK.pipe((await calling(ADD)).model.bindTools([runnable])).invoke({ name: ADD.name });
    expect(callsOf(message)).toEqual([ADD]);
  });

  it("3: a tool in OpenAI's form can be bound", async () => {
    const parameters = toJsonSchema(SUM) as Record<string, unknown>;
    const definition = { type: "function" as const, function: { name: ADD.name, description: "Adds", parameters } };
    const message = await ASK.pipe((await calling(ADD)).model.bindTools([definition])).invoke({ name: ADD.name });
    expect(callsOf(message)).toEqual([ADD]);
  });

  it("4: a name, a description and a schema are enough of a tool", async () => {
    const { model } = await calling(ADD);
    const message = await model.bindTools([{ name: ADD.name, description: "Adds", schema: SUM }]).invoke("How much?");
    expect(callsOf(message)).toEqual([ADD]);
  });

  it("5: a streamed call is joined to the same call, and has usage", async () => {
    const { model } = await calling(ADD);
    const whole = await join(ASK.pipe(model.bindTools([new AddNumbers()])).stream({ name: ADD.name }));
    expect(callsOf(whole)).toEqual([ADD]);
    expect(whole.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 20 });
  });

  it("6: parallel calls are both there, from invoke and from stream", async () => {
    const other = { name: "get_time", args: { zone: "UTC" } };
    const time = tool(() => "noon", { name: other.name, schema: z.object({ zone: z.string() }) });
    const bound = (await calling(ADD, other)).model.bindTools([new AddNumbers(), time]);
    expect(callsOf(await bound.invoke("Both."))).toEqual([ADD, other]);
    expect(callsOf(await join(bound.stream("Both.")))).toEqual([ADD, other]);
  });
});

describe("LangChain's checks of conversations with tools", () => {
  const result = async (): Promise<ToolMessage> => new ToolMessage(await new AddNumbers().invoke(ADD.args), CALL.id, ADD.name);
  const question = new HumanMessage("How much is 3 and 4?");

  it.each([
    ["strings", ""],
    [
      "blocks",
      [
        { type: "text", text: "I add." },
        { type: "tool_use", id: CALL.id, name: ADD.name, input: ADD.args },
      ],
    ],
  ])("7: calls and results in %s are answered, each once", async (_what, content) => {
    const { model, told } = await telling();
    const called = new AIMessage({ content, tool_calls: [CALL] });
    const message = await model.bindTools([new AddNumbers()]).invoke([question, called, await result()]);
    expect(message.text).toBe("It is seven.");
    const types = readThread(told()[0] ?? "").map(({ type }) => type);
    expect(types.filter((type) => type !== "ai")).toEqual(["human", "tool_input", "tool_output"]);
  });

  it("8: an earlier round of calls can be an example for the next question", async () => {
    const { model } = await telling();
    const example = [question, new AIMessage({ content: "", tool_calls: [CALL] }), await result(), new AIMessage("7")];
    const message = await model.bindTools([new AddNumbers()]).invoke([...example, new HumanMessage("And 5 and 6?")]);
    expect(message).toBeInstanceOf(AIMessage);
  });

  it.each(["invoke", "stream"] as const)(
    "9: the message with a call, from %s, goes back with its result and is answered",
    async (way) => {
      const { model, told } = await scriptedSubject.open([
        { kind: "calls", calls: [ADD] },
        { kind: "text", text: "It is seven." },
      ]);
      const bound = model.bindTools([new AddNumbers()]);
      const ask = async (messages: (HumanMessage | AIMessage | AIMessageChunk | ToolMessage)[]) =>
        way === "invoke" ? await bound.invoke(messages) : await join(bound.stream(messages));
      const first = await ask([question]);
      const [call] = first.tool_calls ?? [];
      const answered = new ToolMessage({ tool_call_id: call?.id ?? "", name: ADD.name, content: "7" });
      expect((await ask([question, first, answered])).text).toBe("It is seven.");
      expect(readThread(told()[1] ?? "").map(({ type, callId }) => [type, callId])).toEqual([
        ["human", undefined],
        ["tool_input", call?.id],
        ["tool_output", call?.id],
      ]);
    },
  );

  it("10: results of parallel calls are answered without another call", async () => {
    const calls = [CALL, { ...CALL, id: "abc124" }];
    const results = calls.map(({ id }) => new ToolMessage({ tool_call_id: id, name: ADD.name, content: "7" }));
    const { model } = await telling();
    const message = await model
      .bindTools([new AddNumbers()])
      .invoke([question, new AIMessage({ content: "", tool_calls: calls }), ...results]);
    expect([message.text, message.tool_calls]).toEqual(["It is seven.", []]);
  });
});

describe("LangChain's checks of structured output", () => {
  /** Collects what LangChain tells its tracers about the form of the answer. */
  function tracer(): { readonly handler: object; readonly formats: unknown[] } {
    const formats: unknown[] = [];
    const handler = {
      handleChatModelStart: (...[, , , , extra]: readonly unknown[]): void => {
        formats.push((extra as { options: { ls_structured_output_format: unknown } }).options.ls_structured_output_format);
      },
    };
    return { handler, formats };
  }

  it.each([
    [{ name: ADD.name }, "functionCalling"],
    [{ name: ADD.name, method: "functionCalling" as const }, "functionCalling"],
    [{ name: ADD.name, method: "jsonSchema" as const }, "jsonSchema"],
    [{}, "jsonSchema"],
    [{ method: "jsonMode" as const }, "jsonMode"],
  ])("11: with %j the value is asked for, and reported, by %s", async (options, method) => {
    const { model } =
      method === "functionCalling" ? await calling(ADD) : await scriptedSubject.open([{ kind: "object", object: ADD.args }]);
    const { handler, formats } = tracer();
    const value = await ASK.pipe(model.withStructuredOutput(SUM, options)).invoke({ name: ADD.name }, { callbacks: [handler] });
    expect(value).toEqual(ADD.args);
    expect(formats).toEqual([{ kwargs: { method }, schema: toJsonSchema(SUM) }]);
  });

  it("12: with the raw message, the value and the call are there", async () => {
    const { model } = await calling(ADD);
    const structured = model.withStructuredOutput(SUM, { includeRaw: true, name: ADD.name });
    const { raw, parsed } = await ASK.pipe(structured).invoke({ name: ADD.name });
    expect(parsed).toEqual(ADD.args);
    expect(callsOf(raw)).toEqual([ADD]);
  });

  it("13: a value with choices, optional parts and nested objects is given", async () => {
    const schema = z.object({
      decision: z.enum(["UseAPI", "UseFallback"]),
      explanation: z.string(),
      details: z.object({ name: z.string(), parameters: z.record(z.string(), z.string()).optional() }).optional(),
    });
    const value = {
      decision: "UseAPI",
      explanation: "It fits.",
      details: { name: "weather", parameters: { city: "Oslo" } },
    } as const;
    const { model } = await calling({ name: "decide", args: value });
    expect(await model.withStructuredOutput(schema, { name: "decide" }).invoke("Decide.")).toEqual(value);
  });
});
