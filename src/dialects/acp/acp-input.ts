import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";

export type ToldInput = {
  readonly input: JsonValue;
  /** True if the message has no input: it only describes the call, or not even that. */
  readonly isDescription: boolean;
};

/**
 * The input of a call: the one in the message, the changes of files that the message shows, or else its words. Undefined if the message says
 * nothing about it. `inputOf` reads what only this CLI says.
 */
export function toldInput(
  call: JsonObject,
  name: string,
  inputOf: ((call: JsonObject, name: string) => JsonValue | undefined) | undefined,
): ToldInput | undefined {
  const raw = call["rawInput"] ?? undefined;
  const isEmpty = JSON.stringify(raw) === "{}";
  if (raw !== undefined && !isEmpty) return { input: raw, isDescription: false };
  const known = inputOf?.(call, name) ?? changesOf(call);
  if (known !== undefined) return { input: known, isDescription: false };
  const words = describe(call, name);
  if (Object.keys(words).length > 0) return { input: words, isDescription: true };
  return isEmpty ? { input: {}, isDescription: false } : undefined;
}

export function textsOf(call: JsonObject): readonly string[] {
  return listOf(call["content"]).flatMap((part) => stringOf(objectOf(objectOf(part)?.["content"])?.["text"]) ?? []);
}

function changesOf(call: JsonObject): JsonObject | undefined {
  const changes = listOf(call["content"]).flatMap((part) => {
    const { type, path = "", oldText = null, newText = null } = objectOf(part) ?? {};
    return type === "diff" ? [{ path, oldText, newText }] : [];
  });
  return changes.length === 0 ? undefined : { changes };
}

function describe(call: JsonObject, name: string): JsonObject {
  const [title, text] = [stringOf(call["title"]) ?? "", textsOf(call).join("\n")];
  const paths = listOf(call["locations"]).flatMap((place) => stringOf(objectOf(place)?.["path"]) ?? []);
  return {
    ...(title !== "" && title !== name && { title }),
    ...(text !== "" && { text }),
    ...(paths.length > 0 && { paths }),
  };
}
