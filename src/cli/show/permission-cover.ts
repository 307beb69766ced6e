import { isJsonObject, type JsonObject } from "../../spec/json.ts";
import type { PermissionRequest } from "../../spec/wire/events.ts";

/** The calls that the answer `a` covers: their key, and words for them. */
export type Cover = { readonly key: string; readonly words: string };

/** Programs that run no other program and overwrite no file, so that all their commands may be allowed at once. */
const SIMPLE = /^(?:cat|df|du|echo|grep|head|ls|mkdir|pwd|stat|tail|touch|wc)(?= |$)/;
const PLAIN = /^[\w@%+=:,./ -]+$/;
/** Words of the model about its call; they change nothing of what runs. */
const WORDS = ["description", "reason"];

/** True for a command of one program: nothing in it chains, redirects, substitutes or quotes, and no part of it stands for any text. */
export function isPlainCommand(command: string): boolean {
  return PLAIN.test(command) && command === command.trim();
}

/** What `a` would cover: all commands of a simple program with the same other settings, or exactly this call. */
export function coverOf({ name, input, isDescription }: PermissionRequest): Cover | undefined {
  if (isDescription === true) return undefined;
  const { command, ...settings } = isJsonObject(input) ? withoutWords(input) : {};
  const program = typeof command === "string" && isPlainCommand(command) ? SIMPLE.exec(command)?.[0] : undefined;
  if (program !== undefined)
    return { key: JSON.stringify([name, "program", program, settings]), words: `all ${program} commands` };
  const exact = isJsonObject(input) ? withoutWords(input) : input;
  return { key: JSON.stringify([name, "call", exact]), words: "exactly this call" };
}

function withoutWords(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !WORDS.includes(key)));
}
