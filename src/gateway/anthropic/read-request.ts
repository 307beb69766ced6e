import { EFFORTS, type EffortName } from "../../doors/vendor-settings.ts";
import { type FieldKind, Fields, type FieldWording, readFields } from "../../formats/fields.ts";
import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import { refusalOf } from "../../spec/failure/run-error.ts";
import { defined, isJsonObject, type JsonObject } from "../../spec/json.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { GatewayRequest } from "../protocol.ts";
import { blocksOf, readMessages, type ToolChanges } from "./read-messages.ts";

const EXPECTED: Readonly<Record<FieldKind, string>> = {
  string: "Input should be a valid string",
  number: "Input should be a valid number",
  count: "Input should be an integer greater than or equal to 1",
  boolean: "Input should be a valid boolean",
  object: "Input should be an object",
  list: "Input should be a valid array",
  strings: "Input should be a valid array",
};

/** An error names its field as Anthropic's do, such as `messages.0.content`. */
const WORDING: FieldWording = {
  entry: (path, index) => `${path}.${index}`,
  missing: (_, kind, isNull) => (isNull ? EXPECTED[kind] : "Field required"),
  wrong: (_, kind) => EXPECTED[kind],
  error: (path, problem, hint) =>
    refusalOf(createFailure("bad-request", `${path}: ${problem}`, hint === undefined ? {} : { hint })),
};

/** The fields that are honoured, or that change nothing about the answer: a label of the user, the marks for a prompt cache. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["model", "messages", "system", "max_tokens", "stop_sequences", "stream", "tools", "tool_choice", "thinking"],
  ...["output_config", "output_format", "metadata", "cache_control", "betas", "diagnostics", "thread"],
]);

/** The fields without which the answer would be another one. */
const REFUSED: readonly string[] = ["mcp_servers", "container", "compaction"];

export function readRequest(values: JsonObject): GatewayRequest | Failure {
  return readFields(() => {
    const body = new Fields(values, WORDING);
    const maxOutputTokens = body.neededCount("max_tokens");
    const asked = readBody(body);
    return { ...asked, request: { ...asked.request, maxOutputTokens } };
  });
}

/** Reads a request of `POST /v1/messages/count_tokens`, which has no `max_tokens`. */
export function readCountRequest(values: JsonObject): GatewayRequest | Failure {
  return readFields(() => readBody(new Fields(values, WORDING)));
}

function readBody(body: Fields): GatewayRequest {
  const refused = REFUSED.find((name) => isUsed(body, name));
  if (refused !== undefined) throw body.unsupported(refused, "No CLI supports this field.", "Leave it out.");
  checkThread(body);
  const { messages, instructions, toolChanges, ignored } = readMessages(body);
  const system = [...readSystem(body), ...instructions].join("\n\n");
  const tools = readTools(body, toolChanges);
  const { toolChoice, ignored: ignoredChoice } = readToolChoice(body.object("tool_choice"));
  const { wantsReasoning, effort: budgetEffort } = readThinking(body.object("thinking"));
  const { effort: namedEffort, outputSchema } = readOutput(body);
  const effort = namedEffort ?? budgetEffort;
  const request: RunRequest = {
    messages,
    ...(system.trim() !== "" && { system }),
    ...(tools.length > 0 && { tools, invalidCalls: "return" }),
    ...defined({ toolChoice, effort, outputSchema }),
  };
  return {
    model: body.neededText("model"),
    request,
    stop: readStops(body),
    isStream: body.flag("stream") ?? false,
    ignored: [...ignoredFields(body), ...ignoredChoice, ...ignored],
    named: { maxOutputTokens: "max_tokens", effort: namedEffort === undefined ? "thinking" : "output_config.effort" },
    wantsReasoning,
  };
}

/**
 * Anthropic's API may store a conversation, so that a client sends only what is new; the client must be able to send it whole again at any
 * time. Coxswain stores none, and says so when a client continues one.
 */
function checkThread(body: Fields): void {
  const thread = body.object("thread");
  if (thread === undefined || thread.value("type") === "create") return;
  const hint = "Send the whole conversation.";
  throw refusalOf(createFailure("session-unknown", "thread: There is no stored thread with this message.", { hint }));
}

/** Claude Code names itself here for Anthropic's accounting. The line differs between its requests, and it is no instruction. */
const ACCOUNTING = /^x-anthropic-billing-header:[^\n]*\n*/;

function readSystem(body: Fields): readonly string[] {
  if (body.value("system") === undefined) return [];
  const texts = blocksOf(body, "system").map((block) => {
    if (block.value("type") !== "text") throw block.refused("The system prompt consists of text.");
    return block.neededText("text").replace(ACCOUNTING, "");
  });
  return texts.filter((text) => text.trim() !== "");
}

function readStops(body: Fields): readonly string[] {
  const stops = body.strings("stop_sequences");
  const blank = stops.findIndex((text) => text.trim() === "");
  if (blank === -1) return stops;
  throw body.unsupported(`stop_sequences.${blank}`, "each stop sequence must contain non-whitespace");
}

/** The names go into a header; what cannot be a name there is `other`. */
function ignoredFields(body: Fields): readonly string[] {
  const names = Object.keys(body.values).filter((name) => {
    if (KNOWN.has(name) || !isUsed(body, name)) return false;
    return !(name === "context_management" && clearsOnlyThinking(body.neededObject(name).values));
  });
  const isName = (name: string, index: number): boolean => index < MOST_NAMES && /^[\w.-]{1,64}$/.test(name);
  return [...new Set(names.map((name, index) => (isName(name, index) ? name : "other")))];
}

const MOST_NAMES = 32;

/** Earlier thinking is never sent to a CLI. */
function clearsOnlyThinking({ edits }: JsonObject): boolean {
  return (
    Array.isArray(edits) && edits.every((edit) => isJsonObject(edit) && String(edit["type"] ?? "").startsWith("clear_thinking_"))
  );
}

/** False for a field that is missing, null or an empty list. */
function isUsed(body: Fields, name: string): boolean {
  const value = body.value(name);
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

type Effort = NonNullable<RunRequest["effort"]>;

const NAMES: readonly EffortName[] = ["low", "medium", "high", "xhigh", "max"];

/** Whether the client gets the model's thinking, and the effort that a budget of tokens for it means. */
type ReadThinking = { readonly wantsReasoning: boolean; readonly effort?: Effort };

/** Reads `thinking`. CLIs take an effort instead of a budget: below 4,096 tokens it is low, below 16,384 medium, else high. */
function readThinking(thinking: Fields | undefined): ReadThinking {
  if (thinking === undefined) return { wantsReasoning: false };
  const wantsReasoning = thinking.value("display") !== "omitted";
  switch (thinking.value("type")) {
    case "disabled":
      return { wantsReasoning: false };
    case "enabled": {
      const budget = thinking.neededCount("budget_tokens");
      return { wantsReasoning, effort: budget < 4096 ? "low" : budget < 16_384 ? "medium" : "high" };
    }
    case "adaptive":
    case "between_tools":
      return { wantsReasoning };
    default:
      throw thinking.unsupported("type", "Input should be 'enabled', 'adaptive', 'between_tools' or 'disabled'");
  }
}

/** Reads the effort and the schema of the answer; `output_format` is the older name of `output_config.format`. */
function readOutput(body: Fields): Pick<RunRequest, "effort" | "outputSchema"> {
  const config = body.object("output_config");
  const effort = config?.value("effort");
  const known = NAMES.find((name) => name === effort);
  if (config !== undefined && effort !== undefined && known === undefined)
    throw config.unsupported("effort", "Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
  const format = config?.object("format") ?? body.object("output_format");
  if (format !== undefined && format.value("type") !== "json_schema")
    throw format.unsupported("type", "Input should be 'json_schema'");
  return {
    ...(known !== undefined && { effort: EFFORTS[known] }),
    ...(format !== undefined && { outputSchema: format.neededObject("schema").values }),
  };
}

/** The tools that the model gets. Deferred ones are among them if the conversation loaded them, or if they would have to be searched for. */
function readTools(body: Fields, { offered, defined }: ToolChanges): readonly ToolDefinition[] {
  const tools = [...body.objects("tools"), ...defined];
  const isSearched = tools.some(isToolSearch);
  return tools.flatMap((tool) => {
    if (isToolSearch(tool)) return [];
    const definition = readTool(tool);
    const isDeferred = tool.flag("defer_loading") ?? false;
    return (offered.get(definition.name) ?? (!isDeferred || isSearched)) ? [definition] : [];
  });
}

/** True for Anthropic's own search for deferred tools; without it the model sees all of them. */
function isToolSearch(tool: Fields): boolean {
  const type = tool.value("type");
  return typeof type === "string" && type.startsWith("tool_search_tool_");
}

function readTool(tool: Fields): ToolDefinition {
  const type = tool.value("type") ?? "custom";
  if (type !== "custom") {
    const problem = `The tool type ${JSON.stringify(type)} is one of Anthropic's own; a CLI gets only custom tools.`;
    throw tool.refused(problem, "Leave the tool out, or describe it with a name and an input_schema.");
  }
  const description = tool.text("description");
  return {
    name: tool.neededText("name"),
    ...(description !== undefined && { description }),
    parameters: tool.neededObject("input_schema").values,
  };
}

type ReadChoice = { readonly toolChoice?: ToolChoice; readonly ignored: readonly string[] };

/** `auto` is left out, because it is the default. */
function readToolChoice(choice: Fields | undefined): ReadChoice {
  if (choice === undefined) return { ignored: [] };
  const isSerial = choice.flag("disable_parallel_tool_use") === true;
  const ignored = isSerial ? [choice.pathOf("disable_parallel_tool_use")] : [];
  switch (choice.value("type")) {
    case "auto":
      return { ignored };
    case "any":
      return { toolChoice: "required", ignored };
    case "none":
      return { toolChoice: "none", ignored };
    case "tool":
      return { toolChoice: { name: choice.neededText("name") }, ignored };
    default:
      throw choice.unsupported("type", "Input should be 'auto', 'any', 'tool' or 'none'");
  }
}
