import { createRequire } from "node:module";
import type { Node, ParseError } from "jsonc-parser";
import type { JsonValue } from "../spec/json.ts";

/** A JSON value with its offset in the text. */
export type JsonNode = {
  readonly offset: number;
  readonly value: JsonValue;
  readonly members?: ReadonlyMap<string, { readonly keyOffset: number; readonly node: JsonNode }>;
  readonly items?: readonly JsonNode[];
};

/** A mistake and its offset in the text. */
export type PlacedMistake = { readonly offset: number; readonly message: string };

const require = createRequire(import.meta.url);

/** Parses a JSON text; its first mistake is returned with its offset, never thrown. */
export function parseJsonNode(text: string): JsonNode | PlacedMistake {
  const deep = findTooDeep(text);
  if (deep !== undefined) return { offset: deep, message: "this is nested too deeply" };
  // Loaded for the first text: most starts read none.
  const { parseTree, printParseErrorCode }: typeof import("jsonc-parser") = require("jsonc-parser");
  const errors: ParseError[] = [];
  // A blank instead of a byte order mark leaves the offsets as they are.
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined) return { offset: first.offset, message: toWords(printParseErrorCode(first.error)) };
  const twice: PlacedMistake[] = [];
  const node = toNode(root as Node, twice);
  return twice[0] ?? node;
}

/** Line and column of an offset, both from 1, as editors count them. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

const DEEPEST = 100;

/** The offset of the first value that is nested too deeply: the parser calls itself for each level. */
function findTooDeep(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g)) {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    if (depth > DEEPEST + 1) return index;
  }
  return undefined;
}

/** `CloseBraceExpected` as "close brace expected". */
function toWords(code: string): string {
  return code.replace(/\B[A-Z]/g, " $&").toLowerCase();
}

function toNode({ type, offset, value, children = [] }: Node, twice: PlacedMistake[]): JsonNode {
  if (type === "array") {
    const items = children.map((child) => toNode(child, twice));
    return { offset, value: items.map((item) => item.value), items };
  }
  if (type !== "object") return { offset, value };
  const members = new Map<string, { readonly keyOffset: number; readonly node: JsonNode }>();
  for (const { children: [key, child] = [] } of children) {
    if (key === undefined || child === undefined) continue;
    if (members.has(key.value)) twice.push({ offset: key.offset, message: `"${key.value}" appears twice` });
    members.set(key.value, { keyOffset: key.offset, node: toNode(child, twice) });
  }
  return { offset, value: Object.fromEntries([...members].map(([key, { node }]) => [key, node.value])), members };
}
