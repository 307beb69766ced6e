import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
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
  const value: JsonValue = JSON.parse(line);
  const type = textAt(value, "type");
  if (type === "user") return { kind: "prompt", text: toPrompt(at(at(value, "message"), "content")) };
  if (type === "control_request") {
    const request = at(value, "request");
    const schema = at(request, "jsonSchema");
    const id = textAt(value, "request_id");
    const servers = at(request, "sdkMcpServers");
    const [server] = Array.isArray(servers) ? servers : [];
    return {
      kind: "control-request",
      id,
      subtype: textAt(request, "subtype"),
      ...(schema !== undefined && { schema: JSON.stringify(schema) }),
      ...(typeof server === "string" && { server }),
    };
  }
  if (type === "control_response") {
    const response = at(value, "response");
    const answer = at(response, "response");
    const result = at(at(answer, "mcp_response"), "result");
    if (isJsonObject(result)) return { kind: "mcp-response", id: textAt(response, "request_id"), result };
    const input = at(answer, "updatedInput");
    return {
      kind: "control-response",
      id: textAt(response, "request_id"),
      allowed: textAt(answer, "behavior") === "allow",
      message: textAt(answer, "message"),
      ...(isJsonObject(input) && { input }),
    };
  }
  return { kind: "other" };
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
  if (!Array.isArray(content)) return "";
  const texts = content.filter((block) => textAt(block, "type") === "text").map((block) => textAt(block, "text"));
  if (texts.length > 1 && texts.at(-1)?.trim() === "") texts.pop();
  return texts.join("\n");
}

function at(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? Reflect.get(value, key) : undefined;
}

function textAt(value: JsonValue | undefined, key: string): string {
  const found = at(value, key);
  return typeof found === "string" ? found : "";
}
