// Fails when a file of src imports against the direction of the layers, or when files import one another in a circle. Imports of
// types count. Usage: check-direction.ts [root]
// Test files are not checked. Why this is not a lint rule: docs/decisions/0006-import-direction.md
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
  "process/tree": { imports: ["spec"], modules: ["node:*", "node:child_process"] },
  files: { imports: ["spec", "process/tree"], modules: ["node:*"] },
  process: { imports: ["spec", "process/tree", "files"], modules: ["node:*", "node:child_process", "cross-spawn"] },
  failures: { imports: ["spec", "process"], modules: [] },
  schemas: { imports: ["spec"], modules: ["node:*", "ajv", "ajv/dist/2020.js"] },
  request: { imports: ["spec", "files", "schemas"], modules: ["node:*", "smol-toml"] },
  answers: { imports: ["spec", "schemas"], modules: ["node:*", "jsonrepair", "partial-json"] },
  "host-tools": { imports: ["spec", "schemas", "answers"], modules: ["node:*"] },
  prompts: { imports: ["spec", "schemas", "host-tools"], modules: ["node:*"] },
  launch: { imports: ["spec", "process/tree", "files", "process", "request"], modules: ["node:*"] },
  warm: { imports: ["spec", "process/tree", "process", "request", "host-tools", "prompts", "launch"], modules: ["node:*"] },
  run: { imports: ["spec", "files", "process", "failures", "schemas", "request", "launch", "warm"], modules: ["node:*"] },
  attempt: {
    imports: ["spec", "files", "process", "failures", "schemas", "request", "host-tools", "prompts", "launch", "warm", "run"],
    modules: ["node:*"],
  },
  ask: {
    imports: [
      ...["spec", "process", "failures", "schemas", "request", "answers", "host-tools", "prompts", "launch", "warm", "run"],
      "attempt",
    ],
    modules: ["node:*"],
  },
  policy: { imports: ["spec", "files", "process", "request", "run"], modules: ["node:*"] },
  sessions: { imports: ["spec", "process/tree", "files", "failures", "request", "prompts", "run"], modules: ["node:*"] },
  health: {
    imports: ["spec", "files", "process", "failures", "request", "launch", "run", "attempt", "ask"],
    modules: ["node:*"],
  },
  config: { imports: ["spec", "dialects", "request"], modules: ["node:*", "jsonc-parser"] },
  replay: { imports: ["spec", "dialects", "clis", "process", "failures", "request", "run", "attempt"], modules: [] },
  rehearsal: { imports: ["spec", "files", "formats"], modules: ["node:*"] },
  // The conductor: it is above the rooms that it calls, and the rest of its folder is below them.
  "run/run.ts": { imports: ["spec", "request", "launch", "run", "attempt", "ask"], modules: [] },
  "client.ts": {
    imports: [
      ...["spec", "clis", "process", "request", "launch", "warm", "run", "run/run.ts", "policy", "sessions", "health", "config"],
    ],
    modules: ["node:*"],
  },
  compare: { imports: ["spec", "client.ts"], modules: [] },
  mcp: { imports: ["spec", "files", "request", "compare", "client.ts"], modules: ["node:*", "@modelcontextprotocol/server"] },
  "index.ts": { imports: ["spec", "failures", "clis", "host-tools", "client.ts"], modules: [] },
  "provider.ts": { imports: ["spec", "dialects", "clis", "config"], modules: [] },
  "compatibility-views": { imports: ["spec", "failures", "sessions"], modules: [] },
  compatibility: { imports: ["spec"], modules: [] },
  doors: { imports: ["spec"], modules: [] },
  formats: { imports: ["spec"], modules: [] },
  // The port between the agent and the models of LangChain, which implements it.
  "agent/model": { imports: ["spec"], modules: [] },
  adapters: {
    imports: [
      "agent/model",
      "spec",
      "process",
      "failures",
      "schemas",
      "answers",
      "prompts",
      "doors",
      "compatibility",
      "client.ts",
    ],
    modules: ["node:*", "@langchain/core"],
  },
  "adapters/ai-sdk": { imports: ["spec", "prompts", "doors", "client.ts"], modules: ["node:*", "@ai-sdk/provider"] },
  agent: {
    imports: [
      ...["spec", "process", "failures", "schemas", "request", "answers", "host-tools", "prompts", "run", "attempt", "policy"],
      ...["compatibility", "adapters", "doors", "agent/model", "client.ts"],
    ],
    modules: ["node:*", "langchain", "@modelcontextprotocol/client"],
  },
  gateway: {
    imports: ["spec", "files", "host-tools", "prompts", "launch", "doors", "formats", "client.ts"],
    modules: ["node:*", "hono", "@hono/node-server"],
  },
  testing: {
    imports: ["spec", "process/tree", "process", "run", "replay", "dialects", "formats"],
    modules: ["node:*", "node:child_process"],
  },
  cli: {
    imports: [
      ...[
        "spec",
        "files",
        "process/tree",
        "process",
        "schemas",
        "request",
        "launch",
        "run",
        "attempt",
        "replay",
        "clis",
        "config",
        "health",
      ],
      ...["testing", "agent", "compatibility", "doors", "gateway", "compare", "mcp", "client.ts", "index.ts"],
    ],
    modules: ["node:*", "commander", "picocolors"],
  },
};

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const files = globSync("**/*.ts", { cwd: join(root, "src") }).filter((file) => !file.endsWith(".test.ts"));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, "src", file), "utf8")]));
const violations = [...[...sources].flatMap(([file, source]) => checkFile(file, source)), ...findCircles()];

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

/** A layer is a folder or file of src; a folder in it can be a layer of its own. */
function toLayerName(file: string): string {
  const [folder = file, below] = file.split("/");
  const inner = `${folder}/${below}`;
  return inner in layers ? inner : folder;
}

/** Each group of files, and each group of layers, that import one another. */
function findCircles(): readonly string[] {
  const fileGraph = new Map([...sources].map(([file, source]) => [file, localImports(file, source)]));
  const layerGraph = new Map(Object.entries(layers).map(([name, { imports }]) => [name, imports]));
  return [...circlesIn(layerGraph), ...circlesIn(fileGraph)].map(
    (members) => `src: these import one another in a circle: ${members}`,
  );
}

function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const names = [...graph.keys()];
  const reach = new Map(names.map((name) => [name, reachableFrom(name, graph)]));
  const circles = names
    .filter((name) => reach.get(name)?.has(name))
    .map((name) => names.filter((other) => reach.get(name)?.has(other) && reach.get(other)?.has(name)));
  return [...new Set(circles.map((members) => members.toSorted().join(", ")))];
}

function reachableFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const todo = [start]; todo.length > 0; ) {
    for (const next of graph.get(todo.pop() ?? "") ?? []) {
      if (!found.has(next)) todo.push(next);
      found.add(next);
    }
  }
  return found;
}

function localImports(file: string, source: string): readonly string[] {
  return readImports(source)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(dirname(file), specifier)));
}

// Biome's formatter guarantees double quotes and statements that begin a line.
function readImports(source: string): readonly string[] {
  const statement = /^(?:import|export)\b[^;"]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source.matchAll(statement)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
