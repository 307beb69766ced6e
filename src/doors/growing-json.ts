import { createFailure } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";

/** The keys of an object in the order in which they were written, with the order below each. */
type Order = Map<string, Order>;

/**
 * Writes a JSON value while it grows: each piece continues the text before it, and all pieces together are the JSON of the last value. A
 * value that does not continue the one before it throws a RunError with `stream-diverged`.
 */
export class GrowingJson {
  private written = "";
  private readonly order: Order = new Map();

  /** The piece that the value so far adds. What may still change is left out: the last number, the end of the last string, brackets. */
  grow(value: JsonValue): string {
    const text = write(value, this.order, true);
    return this.written.startsWith(text) ? "" : this.add(text);
  }

  end(value: JsonValue): string {
    return this.add(write(value, this.order, false));
  }

  private add(text: string): string {
    if (!text.startsWith(this.written))
      throw refusalOf(createFailure("stream-diverged", "The structured answer changed after a part of it had been shown."));
    const piece = text.slice(this.written.length);
    this.written = text;
    return piece;
  }
}

function write(value: JsonValue, order: Order, isOpen: boolean): string {
  if (typeof value === "string") return isOpen ? JSON.stringify(withoutHalf(value)).slice(0, -1) : JSON.stringify(value);
  if (typeof value === "number") return isOpen ? "" : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = keysOf(value, order, isOpen);
  const items = keys.map((key, index) => {
    const below = order.get(key) ?? new Map();
    order.set(key, below);
    const item = write((value as JsonObject)[key] ?? null, below, isOpen && index === keys.length - 1);
    return Array.isArray(value) ? item : `${JSON.stringify(key)}:${item}`;
  });
  const [first, last] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${first}${items.join(",")}${isOpen ? "" : last}`;
}

/**
 * The keys that were written before, then the others. JavaScript puts keys that are numbers in front, so their place in a growing object is
 * known only if one key is new.
 */
function keysOf(value: object, order: Order, isOpen: boolean): readonly string[] {
  const keys = Object.keys(value);
  const added = keys.filter((key) => !order.has(key));
  const isUncertain = isOpen && !Array.isArray(value) && added.length > 1 && added.some((key) => /^\d+$/.test(key));
  return [...[...order.keys()].filter((key) => Object.hasOwn(value, key)), ...(isUncertain ? [] : added)];
}

/** Without the first half of a surrogate pair at the end. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
