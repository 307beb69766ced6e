import type { Random } from "../random.ts";

/** The seed of a part of the attack, from the seed of the whole and the name of the part. */
export function seedOf(seed: number, name: string): number {
  let mixed = Math.imul(seed + 1, 0x9e3779b1);
  for (let at = 0; at < name.length; at += 1) mixed = Math.imul(mixed ^ name.charCodeAt(at), 0x01000193);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The values in another order. */
export function shuffled<Value>(values: readonly Value[], random: Random): readonly Value[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value);
}
