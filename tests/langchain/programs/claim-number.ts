import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { thrownCode } from "../../../src/spec/failure/failure.ts";

/** Takes the first number that no other process has taken: writes the content to the file of that name in a directory. */
export function claimNumber(directory: string, content = ""): number {
  for (let number = 0; ; number += 1) {
    try {
      writeFileSync(join(directory, String(number)), content, { flag: "wx" });
      return number;
    } catch (error) {
      if (thrownCode(error) !== "EEXIST") throw error;
    }
  }
}
