// Writes schemas/coxswain.config.schema.json from src/config/config-schema.ts; with --check it only compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CONFIG_SCHEMA } from "../src/config/config-schema.ts";

const path = join(import.meta.dirname, "../schemas/coxswain.config.schema.json");

if (!process.argv.includes("--check")) {
  writeFileSync(path, `${JSON.stringify(CONFIG_SCHEMA, null, 2)}\n`);
} else if (!isDeepStrictEqual(JSON.parse(readFileSync(path, "utf8")), CONFIG_SCHEMA)) {
  console.error("schemas/coxswain.config.schema.json differs from its source: run node scripts/generate-config-schema.ts");
  process.exitCode = 1;
}
