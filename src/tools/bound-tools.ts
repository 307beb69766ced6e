import type { JsonObject } from "../spec/json.ts";
import type { ToolDefinition } from "../spec/tool.ts";
import { compileSchema, type SchemaCheck } from "./validate-schema.ts";

/** The tools of one request by exact name, with compiled schemas. */
export class BoundTools {
  readonly names: readonly string[];
  private readonly checks: ReadonlyMap<string, SchemaCheck>;

  /** Throws when a schema cannot be compiled. */
  constructor(tools: readonly ToolDefinition[]) {
    this.names = tools.map(({ name }) => name);
    this.checks = new Map(
      tools.map(({ name, parameters }) => [name, parameters === undefined ? () => [] : compileSchema(parameters)]),
    );
  }

  has(name: string): boolean {
    return this.checks.has(name);
  }

  /** Validates the arguments; the problems are in the list. */
  check(name: string, args: JsonObject): readonly string[] {
    return this.checks.get(name)?.(args) ?? [];
  }
}
