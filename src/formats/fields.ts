import type { Failure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";

export type FieldKind = "string" | "number" | "count" | "boolean" | "object" | "list" | "strings";

/** How an API names its fields, and what it says about one that cannot be used. */
export type FieldWording = {
  /** The path of an entry of a list. */
  entry(path: string, index: number): string;
  missing(path: string, kind: FieldKind, isNull: boolean): string;
  wrong(path: string, kind: FieldKind, value: JsonValue): string;
  error(path: string, message: string, hint?: string): RunError;
};

/** The value that a function reads, or the failure that it throws. */
export function readFields<Value>(read: () => Value): Value | Failure {
  try {
    return read();
  } catch (error) {
    if (RunError.is(error)) return error.failure;
    throw error;
  }
}

/** The fields of an object in a request. A field of a wrong type is refused with its path; null counts as absent. */
export class Fields {
  readonly values: JsonObject;
  private readonly wording: FieldWording;
  private readonly path: string;

  constructor(values: JsonObject, wording: FieldWording, path = "") {
    this.values = values;
    this.wording = wording;
    this.path = path;
  }

  /** The path of a field from the root of the request. */
  pathOf(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`;
  }

  value(name: string): JsonValue | undefined {
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    return value === null ? undefined : value;
  }

  text(name: string): string | undefined {
    return this.read(name, "string", isString);
  }

  neededText(name: string): string {
    return this.needed(name, "string", this.text(name));
  }

  number(name: string): number | undefined {
    return this.read(name, "number", (value) => typeof value === "number");
  }

  count(name: string): number | undefined {
    return this.read(name, "count", isCount);
  }

  neededCount(name: string): number {
    return this.needed(name, "count", this.count(name));
  }

  flag(name: string): boolean | undefined {
    return this.read(name, "boolean", (value) => typeof value === "boolean");
  }

  object(name: string): Fields | undefined {
    const value = this.read(name, "object", isJsonObject);
    return value === undefined ? undefined : this.below(name, value);
  }

  neededObject(name: string): Fields {
    return this.needed(name, "object", this.object(name));
  }

  /** An object in the place of a field. */
  below(name: string, values: JsonObject): Fields {
    return new Fields(values, this.wording, this.pathOf(name));
  }

  /** The objects of a list; an absent list is empty. */
  objects(name: string): readonly Fields[] {
    return (this.list(name) ?? []).map((entry, index) => {
      const path = this.wording.entry(this.pathOf(name), index);
      if (!isJsonObject(entry)) throw this.wording.error(path, this.wording.wrong(path, "object", entry));
      return new Fields(entry, this.wording, path);
    });
  }

  neededObjects(name: string): readonly Fields[] {
    this.needed(name, "list", this.value(name));
    return this.objects(name);
  }

  strings(name: string): readonly string[] {
    return (this.list(name) ?? []).map((entry, index) => {
      const path = this.wording.entry(this.pathOf(name), index);
      if (!isString(entry)) throw this.wording.error(path, this.wording.wrong(path, "string", entry));
      return entry;
    });
  }

  /** The strings of a list, or a single one; an absent list is empty. */
  texts(name: string): readonly string[] {
    const value = this.read(name, "strings", (found) => isString(found) || (Array.isArray(found) && found.every(isString)));
    return value === undefined ? [] : ([value].flat() as readonly string[]);
  }

  /** The error about a field whose value no CLI can be given. */
  unsupported(name: string, message: string, hint?: string): RunError {
    return this.wording.error(this.pathOf(name), message, hint);
  }

  refused(message: string, hint?: string): RunError {
    return this.wording.error(this.path, message, hint);
  }

  private list(name: string): readonly JsonValue[] | undefined {
    return this.read(name, "list", Array.isArray);
  }

  private read<Value extends JsonValue>(
    name: string,
    kind: FieldKind,
    is: (value: JsonValue) => value is Value,
  ): Value | undefined;
  private read(name: string, kind: FieldKind, is: (value: JsonValue) => boolean): JsonValue | undefined;
  private read(name: string, kind: FieldKind, is: (value: JsonValue) => boolean): JsonValue | undefined {
    const value = this.value(name);
    if (value === undefined || is(value)) return value;
    throw this.unsupported(name, this.wording.wrong(this.pathOf(name), kind, value));
  }

  private needed<Value>(name: string, kind: FieldKind, value: Value | undefined): Value {
    if (value !== undefined) return value;
    throw this.unsupported(name, this.wording.missing(this.pathOf(name), kind, this.values[name] === null));
  }
}

function isString(value: JsonValue): value is string {
  return typeof value === "string";
}

function isCount(value: JsonValue): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}
