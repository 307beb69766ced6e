/** A time as people set and read it: `300 ms`, `1.234 s`, `600 s`. */
export function toSeconds(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  return whole < 1000 ? `${whole} ms` : `${whole / 1000} s`;
}
