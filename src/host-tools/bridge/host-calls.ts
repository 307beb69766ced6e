import { checkCall } from "../../answers/read-envelope.ts";
import { type BoundTools, bindTools } from "../../schemas/validate-schema.ts";
import { thrownMessage } from "../../spec/failure/failure.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { HostCall, NativeTool } from "../../spec/message.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import { callersNameOf, withoutAdded } from "../native-tools.ts";

/** Makes a call in the host; the signal ends with the run. */
export type CallHost = (call: HostCall, options: { readonly signal: AbortSignal }) => Promise<ToolAnswer>;

type HostCallsOptions = {
  readonly tools: ToolList;
  readonly call: CallHost;
  readonly signal: AbortSignal;
  /** The largest result in bytes of UTF-8; a larger one becomes an error that names its size. */
  readonly maxResultBytes: number;
  readonly addedArguments?: readonly string[];
};

/** One delivery of a call by the CLI: its JSON-RPC id, the connection of the client that sent it, and the call. */
type Delivery = { readonly client: string; readonly id: string; readonly name: string; readonly args: JsonObject };

export type Answer = {
  readonly result: Promise<ToolAnswer>;
  delivered(isDelivered: boolean): void;
};

/** The calls whose results are kept for another delivery; calls that run or whose result was lost are always kept. */
const MOST_KEPT = 32;

type MadeCall = {
  readonly content: string;
  readonly key: string;
  readonly result: Promise<ToolAnswer>;
  isLost: boolean;
  isDelivered: boolean;
};

const ENDED: ToolAnswer = { text: "The run has ended.", isError: true };

/**
 * Makes the calls of one run. A call that comes again is made once: with the id of its first delivery, or with another id after the CLI
 * gave up waiting for the first.
 */
export class HostCalls {
  private readonly options: HostCallsOptions;
  private made: readonly MadeCall[] = [];
  private count = 0;
  private readonly ended: Promise<ToolAnswer>;

  constructor(options: HostCallsOptions) {
    this.options = options;
    const { signal } = options;
    this.ended = new Promise((resolve) => {
      if (signal.aborted) resolve(ENDED);
      else signal.addEventListener("abort", () => resolve(ENDED), { once: true });
    });
  }

  /** Answers a delivery, with the result of an earlier one if it is the same call. */
  take(delivery: Delivery): Answer {
    const call = this.find(delivery) ?? this.make(delivery);
    call.isLost = false;
    return {
      result: call.result,
      delivered: (isDelivered) => {
        call.isLost = !isDelivered;
        call.isDelivered = isDelivered;
      },
    };
  }

  private find(delivery: Delivery): MadeCall | undefined {
    const [key, content] = [keyOf(delivery), contentOf(delivery)];
    return this.made.find((call) => call.content === content && (call.key === key || call.isLost));
  }

  private make(delivery: Delivery): MadeCall {
    this.count += 1;
    const result = Promise.race([this.ended, this.run(`host-${this.count}`, delivery)]);
    const call = { content: contentOf(delivery), key: keyOf(delivery), result, isLost: false, isDelivered: false };
    this.made = [...this.made.filter(({ isDelivered }, index) => !isDelivered || index > this.made.length - MOST_KEPT), call];
    return call;
  }

  private async run(id: string, { name: listedName, args: given }: Delivery): Promise<ToolAnswer> {
    const { tools, call, signal, maxResultBytes, addedArguments = [] } = this.options;
    if (signal.aborted) return ENDED;
    const name = tools.callersNames.get(listedName) ?? listedName;
    const schema = tools.listed.find((tool) => tool.name === listedName)?.inputSchema;
    const checked = checkCall({ name, args: withoutAdded(given, addedArguments, schema) }, tools.checks);
    if ("problem" in checked) return { text: checked.problem, isError: true };
    try {
      return within(maxResultBytes, name, await call({ id, name, args: checked.args }, { signal }));
    } catch (error) {
      return within(maxResultBytes, name, { text: thrownMessage(error), isError: true });
    }
  }
}

/** A result that a CLI would cut is refused with its size, because the model could not tell that a part is missing. */
function within(most: number, name: string, { text, isError }: ToolAnswer): ToolAnswer {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return { text, isError };
  const message = `The result of ${name} has ${bytes} bytes, and at most ${most} can be passed on. Ask for a smaller part of it.`;
  return { text: message, isError: true };
}

function keyOf({ client, id }: Delivery): string {
  return JSON.stringify([client, id]);
}

function contentOf({ name, args }: Delivery): string {
  return JSON.stringify([name, args]);
}

/** A host tool as a CLI gets it from an MCP server. */
export type ListedTool = { readonly name: string; readonly description: string; readonly inputSchema: JsonObject };

/** The tools of a bridge: the list for the CLI, the callers' names by listed name, and the checks by the callers' names. */
type ToolList = {
  readonly listed: readonly ListedTool[];
  readonly callersNames: ReadonlyMap<string, string>;
  readonly checks: BoundTools;
};

/** Prepares tools for a CLI; throws a TypeError for a schema that does not describe an object. */
export function toToolList(tools: readonly NativeTool[]): ToolList {
  const listed = tools.map(({ name, description, parameters }) => {
    const inputSchema = toInputSchema(name, parameters);
    // Qwen Code 0.15.10 drops a tool without a description.
    return { name, description: description || name, inputSchema };
  });
  const callersNames = new Map(tools.map((tool) => [tool.name, callersNameOf(tool)]));
  return { listed, callersNames, checks: bindTools(tools.map((tool) => ({ ...tool, name: callersNameOf(tool) }))) };
}

/** MCP needs `type: "object"` at the root; some CLIs drop all tools of a server that has one without it. */
function toInputSchema(name: string, parameters: JsonObject = {}): JsonObject {
  const { type = "object" } = parameters;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject) throw new TypeError(`The schema of the tool ${JSON.stringify(name)} does not describe an object.`);
  return { ...parameters, type: "object" };
}
