import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";
import { toDefinitions } from "../adapters/langchain/to-definitions.ts";
import { defineTool } from "../host-tools/define-tool.ts";
import { ANY_VALUE, type SchemaCheck } from "../schemas/compile-schema.ts";
import { isStandardSchema, toValidator } from "../schemas/standard-schema.ts";
import { compileSchema } from "../schemas/validate-schema.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { OutputSchema } from "../spec/standard-schema.ts";
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

/** A tool of this package or of LangChain. A LangChain tool with `metadata: { readOnly: true }` changes nothing. */
export type AnyTool = AgentTool<never> | StructuredToolInterface;

/** The arguments of a call as its tool takes them, or what is wrong with them. */
export type Prepared = { readonly value: unknown } | { readonly problems: readonly string[] };

export type BoundTool = {
  readonly name: string;
  /** What the model is told about it. */
  readonly definition: BindToolsInput;
  readonly readOnly: boolean;
  /** True for the tool by which the model gives a structured answer: it runs without a question. */
  readonly isAnswer?: boolean;
  readonly timeoutMs?: number;
  prepare(args: JsonObject): Promise<Prepared>;
  /** Runs a call as a tool of LangChain, which calls the callbacks; absent if the caller gives the output. */
  invoke?(call: AgentCall, value: unknown, config: RunnableConfig): Promise<unknown>;
};

/** Gives the function of a tool the type of its schema's output. */
export function agentTool<Arguments>(tool: AgentTool<Arguments>): AgentTool<never> {
  return tool as AgentTool<never>;
}

/** Makes tools ready; throws a TypeError if one has no name, the name of another or a schema that cannot be used. */
export function bindAgentTools(tools: readonly AnyTool[]): ReadonlyMap<string, BoundTool> {
  const bound = tools.map((tool) => ("invoke" in tool ? fromLangChain(tool) : fromOwn(tool as AgentTool)));
  const names = bound.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two tools have the name ${twice}.`);
  return new Map(bound.map((tool) => [tool.name, tool]));
}

function fromLangChain(tool: StructuredToolInterface): BoundTool {
  const { name } = tool;
  const [definition] = toDefinitions([tool]);
  const check = checkOf(name, definition?.parameters);
  const metadata = "metadata" in tool ? (tool.metadata as Record<string, unknown> | undefined) : undefined;
  return {
    name,
    definition: tool,
    readOnly: metadata?.["readOnly"] === true,
    prepare: async (args) => toPrepared(check(args)),
    invoke: ({ id }, value, config) => tool.invoke({ type: "tool_call", id, name, args: value }, config),
  };
}

function fromOwn(tool: AgentTool): BoundTool {
  const { name, description, parameters, readOnly = false, timeoutMs } = tool;
  if (tool.run !== undefined && typeof tool.run !== "function") throw new TypeError(`run of the tool ${name} is no function.`);
  const source = { name, ...(description !== undefined && { description }) };
  const definition = defineTool({ ...source, ...(parameters !== undefined && { schema: parameters }) });
  const check = checkOf(name, definition.parameters);
  return {
    name,
    definition: { type: "function", function: { parameters: { type: "object", properties: {} }, ...definition } },
    readOnly,
    ...(timeoutMs !== undefined && { timeoutMs }),
    prepare: async (args) => {
      const prepared = toPrepared(check(args));
      const validator = isStandardSchema(parameters) ? toValidator(parameters) : undefined;
      if (validator === undefined || "problems" in prepared) return prepared;
      const problems = await validator.check(args);
      return problems.length > 0 ? { problems } : { value: validator.output() };
    },
    ...(tool.run !== undefined && {
      invoke: ({ id, args }, value, config) =>
        new DynamicStructuredTool({
          name,
          description: description ?? "",
          // The arguments were checked before, so LangChain gets a schema that takes all of them.
          schema: { type: "object", properties: {} },
          func: async () => tool.run?.(value, { signal: config.signal ?? new AbortController().signal }),
        }).invoke({ type: "tool_call", id, name, args }, config),
    }),
  };
}

function toPrepared({ value, problems }: ReturnType<SchemaCheck>): Prepared {
  return problems.length > 0 ? { problems } : { value };
}

function checkOf(name: string, parameters: JsonObject | undefined): SchemaCheck {
  try {
    return parameters === undefined ? ANY_VALUE : compileSchema(parameters);
  } catch (error) {
    throw new TypeError(`The schema of the tool ${name} cannot be used: ${thrownMessage(error)}`);
  }
}
