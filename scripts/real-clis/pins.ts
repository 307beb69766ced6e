import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A CLI of tests/real: its package, its tested versions, and a folder if another CLI has the same command. */
export type Pin = {
  readonly package: string;
  readonly version: string;
  /** The oldest supported version, if it is another one; a smoke set runs on it. */
  readonly oldest?: string;
  readonly folder?: string;
};

/** The folder of this repository. */
export const ROOT: string = join(import.meta.dirname, "../..");

/** The pinned CLIs by name. */
export const PINS = JSON.parse(readFileSync(join(ROOT, "tests/support/real-clis/pinned-clis.json"), "utf8")) as Readonly<
  Record<string, Pin>
>;

/** Versions by package of the foreign programs that tests/real points at the gateway. */
export const PINNED_PROGRAMS = JSON.parse(readFileSync(join(ROOT, "tests/real/pinned-programs.json"), "utf8")) as Readonly<
  Record<string, string>
>;

/** The pin with that name; throws if there is none. */
export function pinOf(name: string): Pin {
  const pin = PINS[name];
  if (pin === undefined)
    throw new Error(`tests/support/real-clis/pinned-clis.json has no ${name}; it has ${Object.keys(PINS).join(", ")}`);
  return pin;
}
