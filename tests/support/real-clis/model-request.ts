import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../../src/spec/json.ts";
import type { FakeApiRequest } from "../../../src/testing/index.ts";
import type { RealCli } from "./real-cli.ts";

/** The content of a request to the model, in order. */
export type ModelRequest = {
  readonly body: JsonObject;
  readonly model: string;
  /** The system prompt: separate blocks at Anthropic and Google, system or developer messages at OpenAI. */
  readonly system: readonly string[];
  /** The user texts and the tool results. */
  readonly user: readonly string[];
  readonly tools: readonly string[];
};

/** The requests for the model that reached the fake API. */
export function modelRequestsOf(cli: RealCli): readonly ModelRequest[] {
  return cli.api.modelRequests.map(readModelRequest);
}

/** Reads the content of a request to the model, in any of the protocols. */
export function readModelRequest(request: FakeApiRequest): ModelRequest {
  const body = objectOf(request.body) ?? {};
  const said = [...listOf(body["messages"]), ...listOf(body["input"]), ...listOf(body["contents"])];
  const messages = said.map((message) => objectOf(message) ?? {});
  const system = [body["system"] ?? [], objectOf(body["systemInstruction"])?.["parts"] ?? [], body["instructions"] ?? []];
  return {
    body,
    model: stringOf(body["model"]) ?? /models\/([^/:]+):\w+$/.exec(request.path)?.[1] ?? "",
    system: [...system.flatMap(textsOf), ...messages.filter(hasRole("system", "developer")).flatMap(textsOfMessage)],
    user: messages.filter((message) => hasRole("user", "tool")(message) || "output" in message).flatMap(textsOfMessage),
    tools: [body, ...messages].flatMap(toolNames),
  };
}

function hasRole(...roles: readonly string[]): (message: JsonObject) => boolean {
  return (message) => roles.includes(stringOf(message["role"]) ?? "");
}

function textsOfMessage(message: JsonObject): readonly string[] {
  return textsOf(message["content"] ?? message["output"] ?? message["parts"] ?? []);
}

function textsOf(content: JsonValue): readonly string[] {
  if (typeof content === "string") return [content];
  return listOf(content).flatMap((block) => {
    const { text, content: inner, functionResponse } = objectOf(block) ?? {};
    if (functionResponse !== undefined) return [JSON.stringify(functionResponse)];
    return text === undefined ? textsOf(inner ?? []) : [stringOf(text) ?? ""];
  });
}

function toolNames(holder: JsonObject): readonly string[] {
  const declared = listOf(holder["tools"]).map((tool) => objectOf(tool) ?? {});
  return declared.flatMap((tool) => {
    if ("functionDeclarations" in tool) return toolNames({ tools: tool["functionDeclarations"] ?? [] });
    const fields = objectOf(tool["function"]) ?? tool;
    return [stringOf(fields["name"]) ?? stringOf(fields["type"]) ?? "", ...toolNames(fields)];
  });
}
