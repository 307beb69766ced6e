// Fails when a file of src imports against the direction of the layers. Usage: check-direction.ts [root]
// Test files are free. Why this is not a lint rule: docs/decisions/0006-import-direction.md
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

type Layer = {
  /** The folders and root files of src that may be imported. */
  readonly imports: readonly string[];
  /** The packages and Node modules that may be imported; `node:*` is all of them but node:child_process. */
  readonly modules: readonly string[];
};

const layers: Readonly<Record<string, Layer>> = {
  spec: { imports: [], modules: [] },
  dialects: { imports: ["spec"], modules: [] },
  clis: { imports: ["spec", "dialects"], modules: ["node:url"] },
  process: { imports: ["spec"], modules: ["node:*", "node:child_process", "cross-spawn"] },
  failures: { imports: ["spec"], modules: [] },
  tools: { imports: ["spec"], modules: ["node:*", "ajv", "ajv/dist/2020.js", "jsonrepair", "marked"] },
  run: { imports: ["spec", "failures", "process", "tools"], modules: ["node:*"] },
  policy: { imports: ["spec", "process", "tools", "run"], modules: ["node:*"] },
  health: { imports: ["spec", "failures", "process", "run"], modules: ["node:*"] },
  config: { imports: ["spec", "dialects"], modules: ["node:*"] },
  rehearsal: { imports: ["spec"], modules: ["node:*"] },
  "client.ts": {
    imports: ["spec", "failures", "run", "policy", "process", "clis", "health", "config"],
    modules: ["node:*"],
  },
  "index.ts": { imports: ["spec", "failures", "dialects", "clis", "tools", "config", "client.ts"], modules: [] },
  adapters: { imports: ["spec", "failures", "process", "tools", "client.ts"], modules: ["node:*", "@langchain/core"] },
  testing: {
    imports: ["spec", "process", "run", "clis", "dialects", "client.ts"],
    modules: ["node:*", "node:child_process"],
  },
  cli: {
    imports: ["spec", "failures", "run", "clis", "config", "testing", "client.ts", "index.ts"],
    modules: ["node:*", "commander", "picocolors"],
  },
};

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const files = globSync("**/*.ts", { cwd: join(root, "src") }).filter((file) => !file.endsWith(".test.ts"));
const violations = files.flatMap((file) => checkFile(file, readFileSync(join(root, "src", file), "utf8")));

for (const violation of violations) console.error(violation);
console.log(`direction: ${files.length} files, ${violations.length} against the direction`);
process.exitCode = violations.length > 0 || files.length === 0 ? 1 : 0;

function checkFile(file: string, source: string): readonly string[] {
  const from = toLayerName(file);
  const layer = layers[from];
  if (layer === undefined) return [`src/${file}: ${from} is not a layer; add it to scripts/check-direction.ts`];
  return readImports(source)
    .filter((specifier) => !isAllowed(file, from, layer, specifier))
    .map((specifier) => `src/${file}: ${from} must not import ${specifier}`);
}

function isAllowed(file: string, from: string, layer: Layer, specifier: string): boolean {
  if (specifier.startsWith(".")) {
    const to = toLayerName(normalize(join(dirname(file), specifier)));
    return to === from || layer.imports.includes(to);
  }
  if (layer.modules.some((module) => specifier === module || specifier.startsWith(`${module}/`))) return true;
  return specifier.startsWith("node:") && specifier !== "node:child_process" && layer.modules.includes("node:*");
}

function toLayerName(file: string): string {
  return file.split("/")[0] ?? file;
}

// Biome's formatter guarantees double quotes and statements that begin a line.
function readImports(source: string): readonly string[] {
  const statement = /^(?:import|export)\b[^;"]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source.matchAll(statement)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
