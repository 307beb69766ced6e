import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Takes the next free number and plays the fake CLI script of that number.
const scripts: readonly string[] = JSON.parse(process.env["FAKE_SCRIPTS"] ?? "[]");
const script = scripts[claimNumber(process.env["FAKE_STARTS"] ?? "")];
if (script === undefined) throw new Error(`started more often than ${scripts.length} times`);
await import(script);

function claimNumber(directory: string): number {
  for (let number = 0; ; number += 1) {
    try {
      writeFileSync(join(directory, String(number)), "", { flag: "wx" });
      return number;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
