import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../../src/spec/json.ts";
import type { FakeApiRequest } from "../../../src/testing/index.ts";

/** A tool that a CLI offers its model. */
export type OfferedTool = {
  readonly name: string;
  readonly namespace?: string;
  /** Its JSON Schema; undefined for a tool that takes free text. */
  readonly schema: JsonObject | undefined;
};

/** The tools of a request to the model, in any of the protocols. */
export function offeredTools({ body }: FakeApiRequest): readonly OfferedTool[] {
  const holder = objectOf(body) ?? {};
  const inputs = listOf(holder["input"]).map((item) => objectOf(item) ?? {});
  return [holder, ...inputs].flatMap((each) => toolsIn(each));
}

function toolsIn(holder: JsonObject, namespace?: string): readonly OfferedTool[] {
  return listOf(holder["tools"]).flatMap((value) => {
    const tool = objectOf(value) ?? {};
    if ("functionDeclarations" in tool) return toolsIn({ tools: tool["functionDeclarations"] ?? [] });
    const fields = objectOf(tool["function"]) ?? tool;
    const name = stringOf(fields["name"]);
    if ("tools" in fields) return toolsIn(fields, name);
    if (name === undefined) return [];
    return [{ name, ...(namespace !== undefined && { namespace }), schema: schemaOf(fields) }];
  });
}

function schemaOf(fields: JsonObject): JsonObject | undefined {
  const named = ["input_schema", "parametersJsonSchema", "parameters"].map((key) => objectOf(fields[key] as JsonValue));
  return named.find((schema) => schema !== undefined);
}
