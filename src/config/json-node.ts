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

/** Parses a JSON text; a syntax error is returned as a mistake with its offset, never thrown. */
export function parseJsonNode(text: string): JsonNode | PlacedMistake {
  const parser = new Parser(text);
  try {
    return parser.readDocument();
  } catch (error) {
    if (error instanceof Misplaced) return { offset: error.offset, message: error.message };
    throw error;
  }
}

/** Line and column of an offset, both from 1, as editors count them. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

class Misplaced extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const DEEPEST = 100;

class Parser {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  readDocument(): JsonNode {
    if (this.text.startsWith("\uFEFF")) this.at = 1;
    const node = this.readValue(0);
    this.skipBlanks();
    if (this.at < this.text.length) throw this.misplaced("the end of the file");
    return node;
  }

  private readValue(depth: number): JsonNode {
    this.skipBlanks();
    const offset = this.at;
    if (depth > DEEPEST) throw new Misplaced(offset, "this is nested too deeply");
    switch (this.text[offset]) {
      case "{":
        return this.readObject(depth);
      case "[":
        return this.readList(depth);
      case '"':
        return { offset, value: this.readString() };
      default:
        return { offset, value: this.readScalar() };
    }
  }

  private readObject(depth: number): JsonNode {
    const offset = this.at;
    const members = new Map<string, { readonly keyOffset: number; readonly node: JsonNode }>();
    this.at += 1;
    for (let isFirst = true; !this.take("}"); isFirst = false) {
      if (!isFirst) this.expect(",", '"," or "}"');
      this.skipBlanks();
      const keyOffset = this.at;
      if (this.text[keyOffset] !== '"') throw this.misplaced("a name in double quotes");
      const key = this.readString();
      if (members.has(key)) throw new Misplaced(keyOffset, `"${key}" appears twice`);
      this.expect(":", '":"');
      members.set(key, { keyOffset, node: this.readValue(depth + 1) });
    }
    const value = Object.fromEntries([...members].map(([key, { node }]) => [key, node.value]));
    return { offset, value, members };
  }

  private readList(depth: number): JsonNode {
    const offset = this.at;
    const items: JsonNode[] = [];
    this.at += 1;
    for (let isFirst = true; !this.take("]"); isFirst = false) {
      if (!isFirst) this.expect(",", '"," or "]"');
      items.push(this.readValue(depth + 1));
    }
    return { offset, value: items.map((item) => item.value), items };
  }

  private readString(): string {
    const raw = this.match(/"(?:[^"\\\n]|\\.)*"/y);
    if (raw === undefined) throw new Misplaced(this.at, "this string has no closing quote");
    try {
      return JSON.parse(raw) as string;
    } catch {
      throw new Misplaced(this.at - raw.length, "this string contains a control character or an invalid escape");
    }
  }

  private readScalar(): JsonValue {
    const raw = this.match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (raw === undefined) throw this.misplaced("a value");
    return JSON.parse(raw) as JsonValue;
  }

  private take(character: string): boolean {
    this.skipBlanks();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private expect(character: string, words: string): void {
    if (!this.take(character)) throw this.misplaced(words);
  }

  private skipBlanks(): void {
    this.match(/[ \t\r\n]*/y);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private misplaced(expected: string): Misplaced {
    const found = this.text[this.at];
    const what = found === undefined ? "the file ends" : `there is ${JSON.stringify(found)}`;
    const comment = found === "/" ? "; JSON has no comments" : "";
    return new Misplaced(this.at, `${what} where ${expected} should be${comment}`);
  }
}
