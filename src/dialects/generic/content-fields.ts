import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";

const DIRECT_FIELDS = ["content", "text", "response", "message", "output", "result"] as const;
const TEXT_BLOCKS: readonly (JsonValue | undefined)[] = [undefined, "text", "output_text"];

/**
 * The answer in a JSON object of unknown format: a string in one of the usual fields, then text blocks, then the
 * nested shapes of the APIs, in this order; undefined when there is none.
 */
export function contentOf(value: JsonObject): string | undefined {
  for (const field of DIRECT_FIELDS) if (typeof value[field] === "string") return value[field];
  const message = objectOf(value["message"]);
  return (
    textOf(value["content"]) ??
    textOf(objectOf(objectOf(listOf(value["choices"])[0])?.["message"])?.["content"]) ??
    textOf(message?.["content"]) ??
    stringOf(message?.["text"])
  );
}

/** A string unchanged, or the joined text blocks of a list; undefined for anything else and for a list without text blocks. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  const texts = listOf(value).flatMap((block) => {
    const { type, text } = objectOf(block) ?? {};
    return typeof text === "string" && TEXT_BLOCKS.includes(type) ? [text] : [];
  });
  return texts.length === 0 ? undefined : texts.join("");
}
