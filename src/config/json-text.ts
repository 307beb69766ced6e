import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "../spec/json.ts";

/** The names and indexes that lead from the root to a value. */
export type JsonPath = readonly (string | number)[];

/** A mistake in a JSON value; with `isName` the name of the value is wrong, and not the value. */
export type JsonMistake = { readonly path: JsonPath; readonly message: string; readonly isName?: boolean };

/** A mistake in a text; line and column count from 1, as in editors. */
export type PlacedMistake = { readonly line: number; readonly column: number; readonly message: string };

export type JsonText = {
  readonly value: JsonValue;
  /** A path that leads nowhere has the place of its last value. */
  place(mistake: JsonMistake): PlacedMistake;
};

/** Reads a JSON text; its first mistake is returned, never thrown. */
export function readJsonText(text: string): JsonText | PlacedMistake {
  const placed = (offset: number, message: string): PlacedMistake => {
    const before = text.slice(0, offset);
    return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n"), message };
  };
  const deep = findTooDeep(text);
  if (deep !== undefined) return placed(deep, "this is nested too deeply");
  // A blank in place of a byte order mark keeps the offsets.
  const json = text.replace(/^\uFEFF/, " ");
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { disallowComments: true });
  const [first] = errors;
  // `CloseBraceExpected` as "close brace expected".
  const words = (code: string): string => code.replace(/\B[A-Z]/g, " $&").toLowerCase();
  if (first !== undefined) return placed(first.offset, words(printParseErrorCode(first.error)));
  const twice = findTwice(root as Node);
  if (twice !== undefined) return placed(twice.offset, `"${twice.value}" appears twice`);
  return {
    value: JSON.parse(json),
    place({ path, message, isName = false }) {
      const { offset, parent } = nodeAt(root as Node, path);
      return placed(isName ? (parent?.offset ?? offset) : offset, message);
    },
  };
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

/** The first name that an object has already. */
function findTwice({ type, children = [] }: Node): Node | undefined {
  const names = new Set<string>();
  for (const child of children) {
    const name = type === "object" ? child.children?.[0] : undefined;
    const found = name !== undefined && names.has(name.value) ? name : findTwice(child);
    if (found !== undefined) return found;
    if (name !== undefined) names.add(name.value);
  }
  return undefined;
}

function nodeAt(node: Node, [step, ...rest]: JsonPath): Node {
  const { type, children = [] } = node;
  const member = children.find((property) => property.children?.[0]?.value === step)?.children?.[1];
  const next = type === "array" ? children[Number(step)] : member;
  return next === undefined ? node : nodeAt(next, rest);
}
