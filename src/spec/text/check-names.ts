import { didYouMean } from "./nearest-name.ts";

/** Throws a TypeError that names the first of the fields of an object that the place does not have. */
export function checkNames(place: string, value: unknown, fields: Readonly<Record<string, true>>): void {
  if (typeof value !== "object" || value === null) return;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name) && Reflect.get(value, name) !== undefined);
  if (unknown === undefined) return;
  throw new TypeError(`${place} has no field ${JSON.stringify(unknown)}. ${didYouMean(unknown, Object.keys(fields))}`.trim());
}
