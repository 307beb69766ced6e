import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../spec/json.ts";
import type { PermissionVerdict } from "./turn.ts";

export type InputLine =
  | { readonly kind: "prompt"; readonly text: string }
  | {
      readonly kind: "control-request";
      readonly id: string;
      readonly subtype: string;
      readonly schema?: string;
      /** The name of the server by which the host offers tools. */
      readonly server?: string;
    }
  | { readonly kind: "mcp-response"; readonly id: string; readonly result: JsonObject }
  | ({ readonly kind: "control-response"; readonly id: string } & PermissionVerdict)
  | { readonly kind: "other" };

/** Throws when the line is not JSON. */
export function readInputLine(line: string): InputLine {
  const value = objectOf(JSON.parse(line)) ?? {};
  switch (value["type"]) {
    case "user":
      return { kind: "prompt", text: toPrompt(objectOf(value["message"])?.["content"]) };
    case "control_request":
      return readRequest(textAt(value, "request_id"), objectOf(value["request"]) ?? {});
    case "control_response":
      return readResponse(objectOf(value["response"]) ?? {});
    default:
      return { kind: "other" };
  }
}

function readRequest(id: string, request: JsonObject): InputLine {
  const { jsonSchema: schema, sdkMcpServers: servers } = request;
  const server = stringOf(listOf(servers)[0]);
  return {
    kind: "control-request",
    id,
    subtype: textAt(request, "subtype"),
    ...(schema !== undefined && { schema: JSON.stringify(schema) }),
    ...(server !== undefined && { server }),
  };
}

function readResponse(response: JsonObject): InputLine {
  const id = textAt(response, "request_id");
  const answer = objectOf(response["response"]) ?? {};
  const result = objectOf(objectOf(answer["mcp_response"])?.["result"]);
  if (result !== undefined) return { kind: "mcp-response", id, result };
  const input = objectOf(answer["updatedInput"]);
  return {
    kind: "control-response",
    id,
    allowed: answer["behavior"] === "allow",
    message: textAt(answer, "message"),
    ...(input !== undefined && { input }),
  };
}

/** Calls back for each line of a stream that is not blank; only a newline ends a line, never U+2028. */
export function onEachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  const take = (line: string): void => {
    if (line.trim() !== "") onLine(line);
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  stream.on("end", () => take(rest));
}

function toPrompt(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  const blocks = listOf(content).map((block) => objectOf(block) ?? {});
  const texts = blocks.filter(({ type }) => type === "text").map((block) => textAt(block, "text"));
  if (texts.length > 1 && texts.at(-1)?.trim() === "") texts.pop();
  return texts.join("\n");
}

function textAt(value: JsonObject, key: string): string {
  return stringOf(value[key]) ?? "";
}
