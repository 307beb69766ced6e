import { writeSync } from "node:fs";

/** Prints one line of JSON at once, even when the process ends in the next moment. */
export function report(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
