import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readTables } from "../support/documents/read-tables.ts";

const checkout = join(import.meta.dirname, "../..");

it("every rule of docs/parsing.md names a test that exists", () => {
  const rules = readTables("docs/parsing.md").map((row) => row.cells);
  expect(rules.length).toBeGreaterThan(20);
  for (const [rule, , proof = ""] of rules) {
    const [, file = "", title = ""] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(proof) ?? [];
    expect(file, `the test of: ${rule}`).not.toBe("");
    expect(readFileSync(join(checkout, file), "utf8"), `${file} has the title`).toContain(title);
  }
});
