import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import { RunError, refusalOf } from "../../spec/failure/run-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";

/** The failure of a request because of one parameter, such as `messages[0].content`. */
type ParameterFailure = Failure & { readonly param: string };

/** The error about a parameter that cannot be used; `readRequest` returns its failure. */
function refuse(param: string, message: string, hint?: string): RunError {
  const failure: ParameterFailure = { ...createFailure("bad-request", message, hint === undefined ? {} : { hint }), param };
  return refusalOf(failure);
}

/** The value that a function reads, or the failure that it throws. */
export function readRequest<Value>(read: () => Value): Value | Failure {
  try {
    return read();
  } catch (error) {
    if (RunError.is(error)) return error.failure;
    throw error;
  }
}

/** The fields of an object in a request. A field of a wrong type is refused with its path; null counts as absent. */
export class RequestFields {
  readonly values: JsonObject;
  private readonly path: string;

  constructor(values: JsonObject, path = "") {
    this.values = values;
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
    const value = this.value(name);
    if (value !== undefined && typeof value !== "string") throw this.wrongType(name, "a string", value);
    return value;
  }

  neededText(name: string): string {
    const text = this.text(name);
    if (text === undefined) throw refuse(this.pathOf(name), `Missing required parameter: '${this.pathOf(name)}'.`);
    return text;
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    if (value !== undefined && typeof value !== "number") throw this.wrongType(name, "a number", value);
    return value;
  }

  /** A whole number of at least one. */
  count(name: string): number | undefined {
    const value = this.number(name);
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw refuse(this.pathOf(name), `Invalid value for '${this.pathOf(name)}': expected a whole number of at least 1.`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value !== undefined && typeof value !== "boolean") throw this.wrongType(name, "a boolean", value);
    return value;
  }

  object(name: string): RequestFields | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) throw this.wrongType(name, "an object", value);
    return new RequestFields(value, this.pathOf(name));
  }

  neededObject(name: string): RequestFields {
    const fields = this.object(name);
    if (fields === undefined) throw refuse(this.pathOf(name), `Missing required parameter: '${this.pathOf(name)}'.`);
    return fields;
  }

  /** The objects of a list; an absent list is empty. */
  objects(name: string): readonly RequestFields[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) throw this.wrongType(name, "a list of objects", value);
    return value.map((entry: JsonValue, index) => {
      const path = `${this.pathOf(name)}[${index}]`;
      if (!isJsonObject(entry)) throw refuse(path, `Invalid type for '${path}': expected an object, but got ${nameType(entry)}.`);
      return new RequestFields(entry, path);
    });
  }

  /** The strings of a list, or a single one; an absent list is empty. */
  texts(name: string): readonly string[] {
    const value = this.value(name) ?? [];
    const list = typeof value === "string" ? [value] : value;
    if (!Array.isArray(list) || !list.every((entry) => typeof entry === "string"))
      throw this.wrongType(name, "a string or a list of strings", value);
    return list;
  }

  /** The error about a field whose value no CLI can be given. */
  unsupported(name: string, message: string, hint?: string): RunError {
    return refuse(this.pathOf(name), message, hint);
  }

  private wrongType(name: string, expected: string, value: JsonValue): RunError {
    const path = this.pathOf(name);
    return refuse(path, `Invalid type for '${path}': expected ${expected}, but got ${nameType(value)}.`);
  }
}

function nameType(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
