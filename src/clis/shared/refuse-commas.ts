import type { Refusal } from "../../spec/provider/provider.ts";

/** Refuses a list entry with a comma, for a CLI that splits its lists at commas and has no escape for them. */
export function refuseCommas(label: string, entries: readonly string[]): Refusal | undefined {
  const entry = entries.find((text) => text.includes(","));
  if (entry === undefined) return undefined;
  return {
    code: "option-unsupported",
    message: `${label} would split "${entry}" at its comma.`,
    hint: "Use an entry without a comma (a pattern may have * in its place), or another provider.",
  };
}
