import { withoutResult } from "../adapters/langchain/refusal.ts";
import { defineTool } from "../host-tools/define-tool.ts";
import { ANY_VALUE, checkShape, describeMistake, type SchemaCheck } from "../schemas/compile-schema.ts";
import { isStandardSchema, toValidator } from "../schemas/standard-schema.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import type { RunError } from "../spec/failure/run-error.ts";
import { defined, type JsonObject } from "../spec/json.ts";
import type { ToolDefinition } from "../spec/message.ts";
import type { OutputSchema } from "../spec/standard-schema.ts";
import { loadLangChain } from "./load-langchain.ts";
import type { AgentTrace, OfferedTool } from "./model/agent-model.ts";
import type { AgentCall } from "./thread.ts";

export type ToolContext = {
  /** Aborts when the run is cancelled or the time limit of the call is over. */
  readonly signal: AbortSignal;
};

/** A function of the caller that the model may call. */
export type AgentTool<Arguments = unknown> = {
  readonly name: string;
  readonly description?: string;
  /** The schema of the arguments: a JSON Schema, or a schema of Zod or another library, whose output `run` gets. */
  readonly parameters?: OutputSchema<Arguments>;
  /** Runs the call. At a call of a tool without this function the agent pauses until `resume` gives the output. */
  run?(args: Arguments, context: ToolContext): unknown;
  /** The tool changes nothing: its calls need no approval, and they run in plan mode. */
  readonly readOnly?: boolean;
  /** The time limit of a call, instead of the agent's. */
  readonly timeoutMs?: number;
};

/** A tool of LangChain, by what an agent sees of it without LangChain. */
export type LangChainTool = {
  readonly name: string;
  /** With `readOnly: true` the tool changes nothing. */
  readonly metadata?: Record<string, unknown>;
  invoke(...args: never[]): Promise<unknown>;
};

export type AnyTool = AgentTool<never> | LangChainTool;

/** The arguments of a call as its tool takes them, or what is wrong with them. */
export type Prepared = { readonly value: unknown } | { readonly problems: readonly string[] };

type ToolRun = { readonly signal: AbortSignal; readonly trace: AgentTrace | undefined };

export type BoundTool = {
  readonly name: string;
  readonly readOnly: boolean;
  /** True for the tool by which the model gives a structured answer: it runs without a question. */
  readonly isAnswer?: boolean;
  readonly timeoutMs?: number;
  /** What the model is told about it. Rejects with a RunError if its schema cannot be used. */
  offer(): Promise<OfferedTool>;
  prepare(args: JsonObject): Promise<Prepared>;
  /** Runs a call; absent if the caller gives the output. */
  invoke?(call: AgentCall, value: unknown, run: ToolRun): Promise<unknown>;
};

/** Gives the function of a tool the type of its schema's output. */
export function agentTool<Arguments>(tool: AgentTool<Arguments>): AgentTool<never> {
  return tool as AgentTool<never>;
}

/** Makes tools ready; throws a TypeError if one has no name, the name of another or what is no schema. */
export function bindAgentTools(tools: readonly AnyTool[]): ReadonlyMap<string, BoundTool> {
  const bound = tools.map((tool) => ("invoke" in tool ? fromLangChain(tool) : fromOwn(tool as AgentTool)));
  const names = bound.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two tools have the name ${twice}.`);
  return new Map(bound.map((tool) => [tool.name, tool]));
}

function fromLangChain(tool: LangChainTool): BoundTool {
  const { name, metadata } = tool;
  const { offer, check } = opened(async () => {
    const { toDefinitions } = await loadLangChain(`The tool ${name}`);
    try {
      const [definition = { name }] = toDefinitions([tool as never]);
      return { definition, source: tool };
    } catch (error) {
      throw unusable(name, thrownMessage(error));
    }
  });
  return {
    ...{ name, offer },
    readOnly: metadata?.["readOnly"] === true,
    prepare: check,
    invoke: ({ id }, value, { signal, trace }) => {
      const config = defined({ signal, callbacks: trace?.callbacks() });
      return Reflect.apply(tool.invoke, tool, [{ type: "tool_call", id, name, args: value }, config]);
    },
  };
}

function fromOwn(tool: AgentTool): BoundTool {
  const { name, description, parameters, readOnly = false, timeoutMs } = tool;
  if (tool.run !== undefined && typeof tool.run !== "function") throw new TypeError(`run of the tool ${name} is no function.`);
  const given = defineTool(defined({ name, description, schema: parameters }));
  refuseOtherShapes(given);
  const definition = { parameters: { type: "object", properties: {} }, ...given };
  const { offer, check } = opened(async () => ({ definition }));
  return {
    ...defined({ name, readOnly, offer, timeoutMs }),
    prepare: async (args) => {
      const prepared = await check(args);
      const validator = isStandardSchema(parameters) ? toValidator(parameters) : undefined;
      if (validator === undefined || "problems" in prepared) return prepared;
      const problems = await validator.check(args);
      return problems.length > 0 ? { problems } : { value: validator.output() };
    },
    ...(tool.run !== undefined && {
      invoke: async ({ id, args }, value, { signal, trace }) => {
        const run = async (): Promise<unknown> => tool.run?.(value, { signal });
        return trace === undefined ? run() : trace.callTool({ id, name, args, description }, signal, run);
      },
    }),
  };
}

function refuseOtherShapes({ name, parameters = {} }: ToolDefinition): void {
  try {
    checkShape(parameters);
  } catch (error) {
    throw new TypeError(`The schema of the tool ${name} cannot be used: ${thrownMessage(error)}`);
  }
}

type Opened = {
  readonly offer: () => Promise<OfferedTool>;
  readonly check: (args: JsonObject) => Promise<Prepared>;
};

/** A tool that is made ready when it is first needed, because the compiler of schemas takes 30 ms to load, and LangChain 200. */
function opened(make: () => Promise<OfferedTool>): Opened {
  let made: Promise<OfferedTool & { readonly validate: SchemaCheck }> | undefined;
  const open = (): NonNullable<typeof made> => {
    made ??= make().then(async (offered) => ({ ...offered, validate: await compile(offered.definition) }));
    return made;
  };
  return {
    offer: open,
    check: async (args) => {
      const { validate } = await open();
      const { value, problems } = validate(args);
      return problems.length > 0 ? { problems } : { value };
    },
  };
}

async function compile({ name, parameters }: ToolDefinition): Promise<SchemaCheck> {
  if (parameters === undefined) return ANY_VALUE;
  const { compileSchema, findSchemaMistake } = await import("../schemas/validate-schema.ts");
  const mistake = findSchemaMistake(parameters);
  if (mistake === undefined) return compileSchema(parameters);
  throw unusable(name, describeMistake(mistake));
}

function unusable(name: string, why: string): RunError {
  return withoutResult("schema-unreadable", `The schema of the tool ${name} cannot be used: ${why}`);
}
