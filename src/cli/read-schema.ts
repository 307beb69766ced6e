import type { JsonNode } from "../config/json-node.ts";
import type { JsonObject } from "../spec/json.ts";
import { isJsonObject, mistakeIn, readJsonNode } from "./read-json-file.ts";
import { UsageError } from "./usage-error.ts";

const HINT = "Use a file with one JSON Schema object.";

/** Reads a JSON Schema from a file; anything else is a usage error that names the place of the mistake. */
export async function readSchema(path: string): Promise<JsonObject> {
  const { node, text } = readJsonNode(path, HINT);
  const { value } = node;
  if (!isJsonObject(value)) throw new UsageError(`${path} does not contain a JSON object.`, HINT);
  // Loaded on demand: the validator takes longer to load than the rest of the command.
  const { findSchemaMistake } = await import("../schemas/validate-schema.ts");
  const mistake = findSchemaMistake(value);
  if (mistake === undefined) return value;
  const where = mistake.path.length === 0 ? "the schema" : mistake.path.join(".");
  const { offset } = nodeAt(node, mistake.path);
  throw mistakeIn(path, text, { offset, message: `${where}: ${mistake.message}` }, "Correct the JSON Schema.");
}

function nodeAt(root: JsonNode, path: readonly string[]): JsonNode {
  let node: JsonNode = root;
  for (const key of path) node = node.items?.[Number(key)] ?? node.members?.get(key)?.node ?? node;
  return node;
}
