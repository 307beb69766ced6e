/** A source of numbers from 0 up to but not including 1; the same seed gives the same numbers. */
export type Random = () => number;

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of the values, all equally likely. */
export function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** True with this probability. */
export function happens(random: Random, chance: number): boolean {
  return random() < chance;
}

/** A whole number between two others, both included. */
export function wholeBetween(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

/** Some of the values, in their order, each with this probability. */
export function some<Value>(random: Random, values: readonly Value[], chance: number): readonly Value[] {
  return values.filter(() => happens(random, chance));
}
