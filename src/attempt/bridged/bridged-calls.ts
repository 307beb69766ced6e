import { isDeepStrictEqual } from "node:util";
import { callersNameOf, withoutAdded } from "../../host-tools/native-names.ts";
import type { BoundTools } from "../../schemas/validate-schema.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import type { HostCall, NativeTool } from "../../spec/tool.ts";

type MadeCall = ToolAnswer & { readonly name: string; readonly args: JsonValue; readonly durationMs: number };

export type BridgedResult = { readonly output: string; readonly isError: boolean; readonly durationMs: number };

/** The calls that came by a bridge and have a result, until the CLI reports their ends. */
export class BridgedCalls {
  private readonly tools: readonly NativeTool[];
  private readonly checks: BoundTools;
  private readonly added: readonly string[];
  private made: readonly MadeCall[] = [];

  /** `added` are the arguments that the CLI adds to every tool. */
  constructor(tools: readonly NativeTool[], checks: BoundTools, added: readonly string[]) {
    this.tools = tools;
    this.checks = checks;
    this.added = added;
  }

  /** The input of a call as the model gave it, without what the CLI adds. */
  inputOf(name: string, input: JsonValue): JsonValue {
    return withoutAdded(input, this.added, this.tools.find((tool) => callersNameOf(tool) === name)?.parameters);
  }

  async run({ name, args }: HostCall, call: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const startedAt = performance.now();
    const answer = await call();
    const durationMs = Math.round(performance.now() - startedAt);
    this.made = [...this.made, { name, args: this.withDefaults(name, args), ...answer, durationMs }];
    return answer;
  }

  /** Takes the first result of a call with this input; undefined if no such call came by the bridge, or it has no result. */
  takeResult(name: string, input: JsonValue): BridgedResult | undefined {
    const args = this.withDefaults(name, input);
    const found = this.made.find((call) => call.name === name && isDeepStrictEqual(call.args, args));
    if (found === undefined) return undefined;
    this.made = this.made.filter((call) => call !== found);
    const { text: output, isError, durationMs } = found;
    return { output, isError, durationMs };
  }

  private withDefaults(name: string, args: JsonValue): JsonValue {
    return this.checks.get(name)?.(args).value ?? args;
  }
}
