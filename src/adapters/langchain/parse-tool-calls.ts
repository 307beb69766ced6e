import { type CallPlace, findCallPlaces } from "../../answers/call-places.ts";
import { finish } from "../../answers/slices.ts";
import { isJsonObject, type JsonValue, parseJson } from "../../spec/json.ts";

/** A call found in a text; its tool need not be bound. */
export type ParsedToolCall = { readonly name: string; readonly args: Record<string, unknown>; readonly id: string };

/** The calls in the fenced JSON blocks of a text; an empty list for any other text. Never throws. */
export function parseToolCalls(text: string): ParsedToolCall[] {
  return placesOf(text)
    .filter(({ kind, start }) => kind === "call" && /^ {0,3}(?:```|~~~)/.test(text.slice(start, start + 8)))
    .flatMap(({ jsonStart, contentEnd }) => callsIn(text.slice(jsonStart, contentEnd)))
    .map(({ name, args, id }, index) => ({ name, args, id: id ?? `call_${index}` }));
}

/** A text that cannot be parsed has no calls. */
function placesOf(text: string): readonly CallPlace[] {
  try {
    return finish(findCallPlaces(text));
  } catch {
    return [];
  }
}

function callsIn(source: string): readonly (Omit<ParsedToolCall, "id"> & { readonly id?: string })[] {
  const value = parseJson(source);
  const calls = isJsonObject(value) ? value["tool_calls"] : undefined;
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: JsonValue) => {
    if (!isJsonObject(call) || typeof call["name"] !== "string") return [];
    const { name, args, id } = { name: call["name"], args: call["args"], id: call["id"] };
    return [{ name, args: isJsonObject(args) ? args : {}, ...(typeof id === "string" && { id }) }];
  });
}
