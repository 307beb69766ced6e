import { Allow, parse } from "partial-json";
import type { JsonValue } from "../spec/json.ts";
import { isTooDeep } from "../spec/text/parse-json.ts";

/** A number or a word may go on, so it counts only when it is complete; a string is shown as far as it goes. */
const MAY_BE_CUT = Allow.STR | Allow.OBJ | Allow.ARR;

/** Half of a character outside the basic plane, as it is or as an escape, with the beginning of the other half. */
const CUT_CHARACTER = /(?:[\ud800-\udbff]|\\ud[89ab][\da-f]{2})(?:\\(?:u[\da-f]{0,3})?)?$/i;

/** A key by which the library would change the prototype of an object. */
const PROTOTYPE_KEY = /__proto__|\\u005f/i;

/**
 * The value of the beginning of a JSON object or array. Incomplete strings are part of it; other incomplete values are left out. Undefined
 * if the text has no value yet. The caller must check that the text is JSON so far, because the library also accepts other text.
 */
export function parsePartial(text: string): JsonValue | undefined {
  if (PROTOTYPE_KEY.test(text) || isTooDeep(text)) return undefined;
  try {
    return parse(text.replace(CUT_CHARACTER, ""), MAY_BE_CUT) as JsonValue;
  } catch {
    return undefined;
  }
}
