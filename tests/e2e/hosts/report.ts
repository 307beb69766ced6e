import { writeSync } from "node:fs";

/** Prints one line of JSON synchronously, so that it is not lost when the process ends. */
export function report(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
