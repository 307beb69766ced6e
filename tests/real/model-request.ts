import { listOf, objectOf, stringOf } from "../../src/dialects/json-access.ts";
import type { JsonObject, JsonValue } from "../../src/spec/json.ts";
import type { FakeApiRequest } from "../../src/testing/index.ts";
import type { OpenRealCli } from "./open-real-cli.ts";

/** What a request told the model, in the order in which it was told. */
export type ModelRequest = {
  readonly body: JsonObject;
  readonly model: string;
  /** The system prompt: the blocks of `system` at Anthropic, the developer messages at OpenAI. */
  readonly system: readonly string[];
  /** What the user said and what tools gave back. */
  readonly user: readonly string[];
  readonly tools: readonly string[];
};

/** The requests for the model that reached the fake API. */
export function modelRequestsOf(cli: OpenRealCli): readonly ModelRequest[] {
  return cli.api.modelRequests.map(readModelRequest);
}

function readModelRequest(request: FakeApiRequest): ModelRequest {
  const body = objectOf(request.body) ?? {};
  const messages = [...listOf(body["messages"]), ...listOf(body["input"])].map((message) => objectOf(message) ?? {});
  return {
    body,
    model: stringOf(body["model"]) ?? "",
    system: [...textsOf(body["system"] ?? []), ...messages.filter(hasRole("developer")).flatMap(textsOfMessage)],
    user: messages.filter((message) => hasRole("user")(message) || "output" in message).flatMap(textsOfMessage),
    tools: [body, ...messages].flatMap(toolNames),
  };
}

function hasRole(role: string): (message: JsonObject) => boolean {
  return (message) => message["role"] === role;
}

function textsOfMessage(message: JsonObject): readonly string[] {
  return textsOf(message["content"] ?? message["output"] ?? []);
}

function textsOf(content: JsonValue): readonly string[] {
  if (typeof content === "string") return [content];
  return listOf(content).flatMap((block) => {
    const { text, content: inner } = objectOf(block) ?? {};
    return text === undefined ? textsOf(inner ?? []) : [stringOf(text) ?? ""];
  });
}

function toolNames(holder: JsonObject): readonly string[] {
  return listOf(holder["tools"]).flatMap((tool) => {
    const fields = objectOf(tool) ?? {};
    return [stringOf(fields["name"]) ?? stringOf(fields["type"]) ?? "", ...toolNames(fields)];
  });
}
