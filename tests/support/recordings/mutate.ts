import type { JsonValue } from "../../../src/index.ts";
import { pick, type Random, wholeBetween } from "../random.ts";
import { HOSTILE_KEYS, HOSTILE_TEXTS, HOSTILE_VALUES } from "./hostile-values.ts";

/** Mutated bytes, and in words what was done to them. */
export type Mutated = { readonly bytes: Buffer; readonly what: readonly string[] };

type Change = (bytes: Buffer, random: Random) => Buffer;

/** Stands for a value until the line is text again. */
const PLACE = "\u0001hostile text\u0001";

const CHANGES: Readonly<Record<string, Change>> = {
  "flip a bit": (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = wholeBetween(random, 0, bytes.length - 1);
    changed[at] = (changed[at] ?? 0) ^ (1 << wholeBetween(random, 0, 7));
    return changed;
  },
  "insert bytes": (bytes, random) => {
    const at = wholeBetween(random, 0, bytes.length);
    const added = Buffer.from(Array.from({ length: wholeBetween(random, 1, 20) }, () => wholeBetween(random, 0, 255)));
    return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
  },
  "remove bytes": (bytes, random) => {
    const at = wholeBetween(random, 0, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + wholeBetween(random, 1, 200))]);
  },
  "cut the end": (bytes, random) => bytes.subarray(0, wholeBetween(random, 0, bytes.length)),
  "cut the beginning": (bytes, random) => bytes.subarray(wholeBetween(random, 0, bytes.length)),
  "double a line": (bytes, random) => onLines(bytes, random, (lines, at) => lines.toSpliced(at, 0, lines[at] ?? "")),
  "repeat a line": (bytes, random) => {
    const times = wholeBetween(random, 2, 50);
    return onLines(bytes, random, (lines, at) => lines.toSpliced(at, 0, ...Array.from({ length: times }, () => lines[at] ?? "")));
  },
  "remove a line": (bytes, random) => onLines(bytes, random, (lines, at) => lines.toSpliced(at, 1)),
  "move a line": (bytes, random) =>
    onLines(bytes, random, (lines, at) => {
      const [line = ""] = lines.slice(at, at + 1);
      return lines.toSpliced(at, 1).toSpliced(wholeBetween(random, 0, lines.length - 1), 0, line);
    }),
  "join two lines": (bytes, random) =>
    onLines(bytes, random, (lines, at) => lines.toSpliced(at, 2, lines.slice(at, at + 2).join(""))),
  "replace a value": (bytes, random) => onValue(bytes, random, () => pick(random, HOSTILE_VALUES)),
  "replace a value by text": (bytes, random) => onValue(bytes, random, () => PLACE),
  "rename a key": (bytes, random) => onKey(bytes, random, pick(random, HOSTILE_KEYS)),
  "remove a key": (bytes, random) => onKey(bytes, random, undefined),
  "wrap a value": (bytes, random) =>
    onValue(bytes, random, (value) => pick<JsonValue>(random, [[value], { value }, [value, value]])),
};

/** Changes the bytes in one to three ways. */
export function mutate(bytes: Buffer, random: Random): Mutated {
  const what: string[] = [];
  let changed = bytes;
  for (let left = wholeBetween(random, 1, 3); left > 0 && changed.length > 0; left -= 1) {
    const [name, change] = pick(random, Object.entries(CHANGES) as [[string, Change]]);
    what.push(name);
    changed = change(changed, random);
  }
  return { bytes: changed, what };
}

function onLines(bytes: Buffer, random: Random, change: (lines: readonly string[], at: number) => readonly string[]): Buffer {
  const lines = bytes.toString("latin1").split("\n");
  return Buffer.from(change(lines, wholeBetween(random, 0, lines.length - 1)).join("\n"), "latin1");
}

/** Replaces one value of one line that is JSON. */
function onValue(bytes: Buffer, random: Random, change: (value: JsonValue) => JsonValue): Buffer {
  return onJsonLine(bytes, random, (value) => replaceInside(value, random, change));
}

function replaceInside(value: JsonValue, random: Random, change: (value: JsonValue) => JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || random() < 0.15) return change(value);
  const keys = Object.keys(value);
  const key = keys[wholeBetween(random, 0, keys.length - 1)];
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(key), replaceInside(value[Number(key)] ?? null, random, change));
  return { ...value, [key]: replaceInside(Reflect.get(value, key), random, change) };
}

function onKey(bytes: Buffer, random: Random, name: string | undefined): Buffer {
  return onJsonLine(bytes, random, (value) =>
    replaceInside(value, random, (inner) => {
      if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
      const entries = Object.entries(inner);
      const at = wholeBetween(random, 0, entries.length - 1);
      const [, moved = null] = entries[at] ?? [];
      return Object.fromEntries(name === undefined ? entries.toSpliced(at, 1) : entries.toSpliced(at, 1, [name, moved]));
    }),
  );
}

function onJsonLine(bytes: Buffer, random: Random, change: (value: JsonValue) => JsonValue): Buffer {
  const lines = bytes.toString("utf8").split("\n");
  const at = wholeBetween(random, 0, lines.length - 1);
  const value = parse(lines[at] ?? "") ?? parse(bytes.toString("utf8"));
  if (value === undefined) return bytes;
  const text = stringify(change(value))?.replace(JSON.stringify(PLACE), () => pick(random, HOSTILE_TEXTS));
  if (text === undefined) return bytes;
  return Buffer.from(parse(lines[at] ?? "") === undefined ? text : lines.with(at, text).join("\n"));
}

/** Undefined for what an earlier change nested too deep. */
function stringify(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
