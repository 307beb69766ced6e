/** A number that is only known to lie between two others, both included: a time with jitter, a process of unknown length. */
export type Range = { readonly min: number; readonly max: number };

/** Thrown inside the model when what happens depends on where in its range a number falls. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}

/** A number that is known. */
export function exactly(value: number): Range {
  return { min: value, max: value };
}

/** The sum of two numbers. */
export function plus(one: Range, other: Range): Range {
  return { min: one.min + other.min, max: one.max + other.max };
}

/** What is left until `until`, never less than nothing. */
export function minus(until: Range, from: Range): Range {
  return { min: Math.max(0, until.min - from.max), max: Math.max(0, until.max - from.min) };
}

/** Whether `value` ≥ `bound`, when that is sure. */
export function isAtLeast(value: Range, bound: Range, question: string): boolean {
  if (value.min >= bound.max) return true;
  if (value.max < bound.min) return false;
  throw new UndecidedError(question);
}

/** Whether `value` > `bound`, when that is sure. */
export function isOver(value: Range, bound: Range, question: string): boolean {
  return !isAtLeast(bound, value, question);
}
