import { expect, it } from "vitest";
import { readRequest } from "../../src/gateway/anthropic/read-request.ts";
import type { GatewayRequest } from "../../src/gateway/protocol.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { openGateway } from "./anthropic-gateway.ts";

const USER = { role: "user", content: "Hello" };
const HELLO: JsonObject = { model: "plain", max_tokens: 1000, messages: [USER] };
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
const TOOL = { name: "look", input_schema: { type: "object" } };

function read(body: JsonObject): GatewayRequest {
  const asked = readRequest({ ...HELLO, ...body });
  if ("category" in asked) throw new Error(asked.message);
  return asked;
}

function withContent(...content: readonly JsonObject[]): JsonObject {
  return { messages: [{ role: "user", content }] };
}

it.each<readonly [string, JsonObject, string]>([
  ["no model", { model: 1 }, "model: Input should be a valid string"],
  ["no messages", { messages: "Hello" }, "messages: Input should be a valid array"],
  ["an empty conversation", { messages: [] }, "messages: at least one message is required"],
  ["an unknown role", { messages: [{ role: "robot", content: "Hi" }] }, "messages.0.role: Input should be"],
  ["no max_tokens", { max_tokens: null }, "max_tokens: Input should be an integer"],
  ["a fraction of tokens", { max_tokens: 1.5 }, "max_tokens: Input should be an integer"],
  ["a block without text", withContent({ type: "text" }), "messages.0.content.0.text: Field required"],
  ["a block of another type", withContent({ type: "video" }), 'messages.0.content.0: Content blocks of type "video"'],
  ["an image by URL", withContent({ ...IMAGE, source: { type: "url", url: "https://example.com/a.png" } }), "does not download"],
  ["a stored image", withContent({ ...IMAGE, source: { type: "file", file_id: "f" } }), "messages.0.content.0.source"],
  [
    "a PDF",
    withContent({ type: "document", source: { type: "base64", media_type: "application/pdf", data: "" } }),
    "as plain text",
  ],
  ["a result without its call", withContent({ type: "tool_result" }), "messages.0.content.0.tool_use_id: Field required"],
  ["a prefill", { messages: [USER, { role: "assistant", content: "{" }] }, "do not support assistant message prefill"],
  [
    "a server tool",
    { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    'tools.0: The tool type "web_search_20250305"',
  ],
  ["a tool of the vendor", { tools: [TOOL, { type: "bash_20250124", name: "bash" }] }, 'tools.1: The tool type "bash_20250124"'],
  ["a tool without a schema", { tools: [{ name: "look" }] }, "tools.0.input_schema: Field required"],
  ["an unknown choice", { tool_choice: { type: "some" } }, "tool_choice.type"],
  ["an unknown effort", { output_config: { effort: "extreme" } }, "output_config.effort"],
  ["an effort that objects have as a key", { output_config: { effort: "constructor" } }, "output_config.effort"],
  ["another format", { output_config: { format: { type: "yaml" } } }, "output_config.format.type"],
  ["an unknown way to think", { thinking: { type: "deep" } }, "thinking.type"],
  ["a blank stop sequence", { stop_sequences: [" "] }, "stop_sequences.0"],
  ["a stop sequence that is no list", { stop_sequences: "END" }, "stop_sequences: Input should be a valid array"],
  ["a word as stream", { stream: "yes" }, "stream: Input should be a valid boolean"],
  ["MCP servers", { mcp_servers: [{ type: "url", url: "https://example.com" }] }, "mcp_servers: No CLI supports"],
  ["a number as system", { system: 1 }, "system: Input should be a valid array"],
])("%s is refused and the field is named", (_, body, problem) => {
  const asked = readRequest({ ...HELLO, ...body });
  expect(asked).toMatchObject({ code: "bad-request", replyStatus: 400 });
  expect("category" in asked ? `${asked.message} ${asked.hint}` : "").toContain(problem);
});

it("a conversation is read to the same messages as blocks, as strings, and with or without cache_control", () => {
  const text = (words: string): JsonObject => ({ type: "text", text: words });
  const marked = (words: string): JsonObject => ({ ...text(words), cache_control: { type: "ephemeral" } });
  const call = { type: "tool_use", id: "toolu_1", name: "look", input: { at: [1, { b: null }] } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "seen" };
  const plain = read({
    messages: [
      { role: "user", content: "Look." },
      { role: "assistant", content: [text("I "), text("look."), call] },
      { role: "user", content: [result] },
    ],
  });
  const rich = read({
    messages: [
      { role: "user", content: [marked("Look.")] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm", signature: "s" },
          text("I "),
          text("look."),
          { ...call, caller: { type: "direct" } },
        ],
      },
      {
        role: "user",
        content: [{ ...result, content: [marked("seen")], is_error: false, cache_control: { type: "ephemeral" } }],
      },
    ],
  });
  expect(rich.request).toEqual(plain.request);
  expect(plain.request.messages).toEqual([
    { role: "user", text: "Look." },
    { role: "assistant", text: "I look.", toolCalls: [{ id: "toolu_1", name: "look", args: { at: [1, { b: null }] } }] },
    { role: "tool", callId: "toolu_1", text: "seen" },
  ]);
});

it("results, texts and images of one message keep their order", () => {
  const { request } = read({
    messages: [
      USER,
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", is_error: true, content: [{ type: "text", text: "no" }, IMAGE] },
          { type: "tool_result", tool_use_id: "b" },
          { type: "text", text: "And now?" },
          IMAGE,
        ],
      },
    ],
  });
  const images = [{ mediaType: "image/png", data: "aGk=" }];
  expect(request.messages?.slice(1)).toEqual([
    { role: "tool", callId: "a", text: "no", images, isError: true },
    { role: "tool", callId: "b", text: "" },
    { role: "user", text: "And now?", images },
  ]);
});

it("instructions before the first answer join the system prompt, later ones stay in their place", () => {
  const { request } = read({
    system: [
      { type: "text", text: "x-anthropic-billing-header: cc_version=2; cch=1;" },
      { type: "text", text: "Be brief." },
    ],
    messages: [
      USER,
      { role: "system", content: "You are in /home." },
      { role: "assistant", content: "Hi." },
      { role: "system", content: [{ type: "text", text: "Be kind." }] },
      USER,
    ],
  });
  expect(request.system).toBe("Be brief.\n\nYou are in /home.");
  expect(request.messages?.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Hello"],
    ["assistant", "Hi."],
    ["system", "Be kind."],
    ["user", "Hello"],
  ]);
});

it.each<readonly [JsonObject, JsonObject]>([
  [{ output_config: { effort: "xhigh" } }, { effort: "max" }],
  [{ thinking: { type: "enabled", budget_tokens: 2000 } }, { effort: "low" }],
  [{ thinking: { type: "enabled", budget_tokens: 10_000 }, output_config: { effort: "high" } }, { effort: "high" }],
  [{ tools: [TOOL], tool_choice: { type: "any" } }, { toolChoice: "required" }],
  [{ tools: [TOOL], tool_choice: { type: "tool", name: "look" } }, { toolChoice: { name: "look" } }],
  [{ max_tokens: 7 }, { maxOutputTokens: 7 }],
])("%j means %j", (body, expected) => {
  expect(read(body).request).toMatchObject(expected);
});

it("tools that the conversation adds and withdraws are those that the CLI gets", () => {
  const change = (type: string, tool: JsonObject): JsonObject => ({ role: "system", content: [{ type, tool }] });
  const { request } = read({
    tools: [TOOL, { ...TOOL, name: "late", defer_loading: true }, { ...TOOL, name: "never", defer_loading: true }],
    messages: [
      USER,
      change("tool_addition", { type: "tool_reference", name: "late" }),
      change("tool_addition", { type: "tool_definition", definition: { ...TOOL, name: "new" } }),
      change("tool_removal", { type: "tool_reference", name: "look" }),
    ],
  });
  expect(request.tools?.map(({ name }) => name)).toEqual(["late", "new"]);
});

it("what no CLI has is named, and what changes nothing is not", () => {
  const quiet = { metadata: { user_id: "u" }, cache_control: { type: "ephemeral" }, service_tier: null, betas: ["b"] };
  const thinking = { context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] } };
  expect(read({ ...quiet, ...thinking }).ignored).toEqual([]);
  const named = { top_p: 1, context_management: { edits: [{ type: "clear_tool_uses_20250919" }] }, speed: "fast" };
  const choice = { tools: [TOOL], tool_choice: { type: "auto", disable_parallel_tool_use: true } };
  expect(read({ ...named, ...choice }).ignored).toEqual([
    "top_p",
    "context_management",
    "speed",
    "tool_choice.disable_parallel_tool_use",
  ]);
});

it("names that cannot be in a header are listed as other", async () => {
  expect(read({ "naïve\n": 1, "x: y": 2, ok: 3 }).ignored).toEqual(["other", "ok"]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${index}`, 1]));
  expect(read(many).ignored).toHaveLength(33);
});

it("tokens are estimated without a start of the CLI", async () => {
  const cli = openCli([answers("never")]);
  const { anthropic } = await openGateway(cli.client);
  const words = { model: "plain", messages: [{ role: "user" as const, content: "x".repeat(4000) }] };
  const { data, response } = await anthropic.messages.countTokens(words).withResponse();
  expect(data.input_tokens).toBe(1000);
  expect(response.headers.get("x-coxswain-estimated")).toBe("true");
  const image = { type: "image" as const, source: { type: "base64" as const, media_type: "image/png" as const, data: "aGk=" } };
  const more = await anthropic.messages.countTokens({ ...words, system: "s", messages: [{ role: "user", content: [image] }] });
  expect(more.input_tokens).toBeGreaterThan(1000);
  await expect(anthropic.messages.countTokens({ ...words, messages: [] })).rejects.toThrow("at least one message");
  await expect(anthropic.messages.countTokens({ ...words, model: "plane" })).rejects.toMatchObject({
    status: 404,
    error: { error: { message: expect.stringContaining("There is no provider or model") } },
  });
  expect(cli.starts()).toBe(0);
});

it("a stored thread is not known, so that the client sends the whole conversation again", async () => {
  const { client } = openCli([answers("One."), answers("Two.")]);
  const { anthropic } = await openGateway(client);
  const thread = anthropic.beta.messages.thread({ model: "plain", max_tokens: 1000 });
  await thread.send({ role: "user", content: "First" });
  const second = await thread.send({ role: "user", content: "Second" });
  expect(second.content).toMatchObject([{ type: "text", text: "Two." }]);
});
