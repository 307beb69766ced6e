import { isDeepStrictEqual } from "node:util";
import type { BoundTools } from "../../schemas/validate-schema.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import type { HostCall } from "../../spec/tool.ts";

type Call = Pick<HostCall, "name"> & { readonly args: JsonValue };
type Awaited = Call & { readonly resolve: (answer: ToolAnswer) => void };

/**
 * The results of calls that came by a bridge and that a later run brings. A CLI gives the bridge no id of a call, so that a result belongs
 * to a call of the same tool with the same arguments.
 */
export class AwaitedResults {
  private readonly checks: BoundTools;
  private awaited: readonly Awaited[] = [];
  private given: readonly (Call & { readonly answer: ToolAnswer })[] = [];

  constructor(checks: BoundTools) {
    this.checks = checks;
  }

  /** Resolves with the result of a call, which may be known already. */
  wait({ name, args }: HostCall): Promise<ToolAnswer> {
    const call = { name, args: this.withDefaults(name, args) };
    const known = this.given.find((other) => isSame(other, call));
    this.given = this.given.filter((other) => other !== known);
    if (known !== undefined) return Promise.resolve(known.answer);
    return new Promise((resolve) => {
      this.awaited = [...this.awaited, { ...call, resolve }];
    });
  }

  /** Gives the result of a call; it is kept until the CLI asks for it. */
  give(name: string, args: JsonValue, answer: ToolAnswer): void {
    const call = { name, args: this.withDefaults(name, args) };
    const open = this.awaited.find((other) => isSame(other, call));
    this.awaited = this.awaited.filter((other) => other !== open);
    if (open === undefined) this.given = [...this.given, { ...call, answer }];
    else open.resolve(answer);
  }

  private withDefaults(name: string, args: JsonValue): JsonValue {
    return this.checks.get(name)?.(args).value ?? args;
  }
}

function isSame(one: Call, other: Call): boolean {
  return one.name === other.name && isDeepStrictEqual(one.args, other.args);
}
