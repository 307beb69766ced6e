import { type JsonObject, type JsonValue, listOf, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";

export type GrokToolResult = {
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly details?: JsonValue;
  readonly isDenied: boolean;
};

/** Reads the content of a tool_result block: the JSON text of an object, or plain text of the CLI. */
export function readGrokContent(content: JsonValue, isError: boolean): GrokToolResult {
  const value = typeof content === "string" ? (parseJson(content) ?? content) : content;
  const result = objectOf(value);
  if (result !== undefined) return readObject(result, content, isError);
  return readOwnWord(value, isError);
}

export function readObject(result: JsonObject, printed: JsonValue, isError: boolean): GrokToolResult {
  const exitCode = result["type"] === "Bash" ? numberOf(result["exit_code"]) : undefined;
  return {
    output: shownText(result) ?? printed,
    isError: isError || (exitCode ?? 0) !== 0,
    ...(exitCode !== undefined && { details: { exitCode } }),
    isDenied: false,
  };
}

const SHOWN = ["output_for_prompt", "tool_output_for_prompt", "content", "text", "OkayOutput", "Error"] as const;

/** The part of a result that the model was shown; each tool has its own shape. */
function shownText(result: JsonObject): string | undefined {
  const parts: readonly JsonObject[] = [
    result,
    ...Object.values(result)
      .map(objectOf)
      .filter((part) => part !== undefined),
  ];
  for (const name of SHOWN) {
    const text = parts.map((part) => stringOf(part[name])).find((found) => found !== undefined);
    if (text !== undefined) return text;
  }
  if (Array.isArray(result["stdout"])) return decode(result["stdout"]);
  const strings = Object.entries(result).flatMap(([key, part]) => (key !== "type" && typeof part === "string" ? [part] : []));
  return strings.length === 1 ? strings[0] : undefined;
}

function decode(bytes: readonly JsonValue[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => numberOf(byte) ?? 0));
}

const DENIAL = /^(?:Tool `[^`]*` was not executed: Denied|User cancelled the execution for tool)/;

export function readOwnWord(word: JsonValue, isError: boolean): GrokToolResult {
  const texts = listOf(word).flatMap((entry) => textOf(objectOf(entry)) ?? []);
  const output = Array.isArray(word) ? texts.join("\n") : word;
  return { output, isError, isDenied: isError && typeof output === "string" && DENIAL.test(output) };
}

/** A list contains text blocks, each wrapped in an object or bare. */
function textOf(entry: JsonObject | undefined): string | undefined {
  return stringOf(objectOf(entry?.["content"])?.["text"]) ?? stringOf(entry?.["text"]);
}
