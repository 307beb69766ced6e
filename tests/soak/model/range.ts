/** A number that lies between two others, both included: a time with jitter, a process of unknown length. */
export type Range = { readonly min: number; readonly max: number };

/** Thrown inside the model when the outcome depends on the position of a number in its range. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}

/** A known number. */
export function exactly(value: number): Range {
  return { min: value, max: value };
}

/** The sum of two numbers. */
export function plus(one: Range, other: Range): Range {
  return { min: one.min + other.min, max: one.max + other.max };
}

/** The time until `until`, at least zero. */
export function minus(until: Range, from: Range): Range {
  return { min: Math.max(0, until.min - from.max), max: Math.max(0, until.max - from.min) };
}

/** Whether `value` ≥ `bound`; throws if that is undecided. */
export function isAtLeast(value: Range, bound: Range, question: string): boolean {
  if (value.min >= bound.max) return true;
  if (value.max < bound.min) return false;
  throw new UndecidedError(question);
}

/** Whether `value` > `bound`; throws if that is undecided. */
export function isOver(value: Range, bound: Range, question: string): boolean {
  return !isAtLeast(bound, value, question);
}
