/** The number of offsets, and the text that seeds their choice. */
export type Choice = { readonly seed: string; readonly count: number };

/** Distinct offsets below this number of bytes, in order, the same in every run of the tests. */
export function chooseOffsets(length: number, { seed, count }: Choice): readonly number[] {
  const next = createGenerator(seed);
  const offsets = new Set<number>();
  while (offsets.size < count) offsets.add(1 + Math.floor(next() * (length - 1)));
  return [...offsets].sort((left, right) => left - right);
}

/** Numbers from 0 to 1 by the mulberry32 method, seeded by a text. */
function createGenerator(seedText: string): () => number {
  let state = [...seedText].reduce(
    (hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
