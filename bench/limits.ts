/** A measured value and the limit that it must keep. */
export type Limit = { readonly what: string; readonly measured: string; readonly limit: string; readonly ok: boolean };

/** A value that may not be above its limit. */
export function rowAtMost(what: string, value: number, limit: number, unit: string): Limit {
  return { what, measured: `${value.toFixed(2)}${unit}`, limit: `<= ${limit}${unit}`, ok: value <= limit };
}

/** A value that may not be below its limit. */
export function rowAtLeast(what: string, value: number, limit: number, unit: string): Limit {
  return { what, measured: `${value.toFixed(2)}${unit}`, limit: `>= ${limit}${unit}`, ok: value >= limit };
}

/** One line: whether the limit was kept, the value and the limit. */
export function renderLimit({ what, measured, limit, ok }: Limit): string {
  return `${ok ? "ok  " : "MISS"} ${what}: ${measured} (${limit})\n`;
}
