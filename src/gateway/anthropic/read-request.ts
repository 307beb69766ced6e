import { EFFORTS, type EffortName } from "../../doors/vendor-settings.ts";
import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import { RunError, refusalOf } from "../../spec/failure/run-error.ts";
import { isJsonObject, type JsonObject } from "../../spec/json.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { GatewayRequest } from "../protocol.ts";
import { badField, countAt, type Field, flagAt, isGiven, listAt, objectAt, stringAt } from "./fields.ts";
import { blocksAt, joinContent, readBlock } from "./read-content.ts";
import { readMessages, type ToolChanges } from "./read-messages.ts";

/** The fields that are honoured, or that change nothing about the answer: a label of the user, the marks for a prompt cache. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["model", "messages", "system", "max_tokens", "stop_sequences", "stream", "tools", "tool_choice", "thinking"],
  ...["output_config", "output_format", "metadata", "cache_control", "betas", "diagnostics", "thread"],
]);

/** The fields without which the answer would be another one. */
const REFUSED: readonly string[] = ["mcp_servers", "container", "compaction"];

/** Reads a request of `POST /v1/messages`. */
export function readRequest(body: JsonObject): GatewayRequest | Failure {
  return read(() => {
    const maxOutputTokens = countAt(body["max_tokens"], "max_tokens");
    const asked = readBody(body);
    return { ...asked, request: { ...asked.request, maxOutputTokens } };
  });
}

/** Reads a request of `POST /v1/messages/count_tokens`, which has no `max_tokens`. */
export function readCountRequest(body: JsonObject): GatewayRequest | Failure {
  return read(() => readBody(body));
}

function read(make: () => GatewayRequest): GatewayRequest | Failure {
  try {
    return make();
  } catch (error) {
    if (RunError.is(error)) return error.failure;
    throw error;
  }
}

function readBody(body: JsonObject): GatewayRequest {
  const refused = REFUSED.find((name) => isUsed(body[name]));
  if (refused !== undefined) throw badField(refused, "No CLI supports this field.", "Leave it out.");
  checkThread(body["thread"]);
  const { messages, instructions, toolChanges, ignored } = readMessages(body["messages"]);
  const system = [...readSystem(body["system"]), ...instructions].join("\n\n");
  const tools = readTools(body["tools"], toolChanges);
  const { toolChoice, ignored: ignoredChoice } = readToolChoice(body["tool_choice"]);
  const { wantsReasoning, effort: budgetEffort } = readThinking(body["thinking"]);
  const { effort: namedEffort, outputSchema } = readOutput(body);
  const effort = namedEffort ?? budgetEffort;
  const request: RunRequest = {
    messages,
    ...(system.trim() !== "" && { system }),
    ...(tools.length > 0 && { tools, invalidCalls: "return" }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(effort !== undefined && { effort }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
  return {
    model: stringAt(body["model"], "model"),
    request,
    stop: readStops(body["stop_sequences"]),
    isStream: flagAt(body["stream"], "stream"),
    ignored: [...ignoredFields(body), ...ignoredChoice, ...ignored],
    named: { maxOutputTokens: "max_tokens", effort: namedEffort === undefined ? "thinking" : "output_config.effort" },
    wantsReasoning,
  };
}

/**
 * Anthropic's API may store a conversation, so that a client sends only what is new; the client must be able to send it whole again at any
 * time. Coxswain stores none, and says so when a client continues one.
 */
function checkThread(value: Field): void {
  if (!isGiven(value) || objectAt(value, "thread")["type"] === "create") return;
  const hint = "Send the whole conversation.";
  throw refusalOf(createFailure("session-unknown", "thread: There is no stored thread with this message.", { hint }));
}

/** Claude Code names itself here for Anthropic's accounting. The line differs between its requests, and it is no instruction. */
const ACCOUNTING = /^x-anthropic-billing-header:[^\n]*\n*/;

function readSystem(value: Field): readonly string[] {
  if (!isGiven(value)) return [];
  const texts = blocksAt(value, "system").map((block) => {
    if (block.type !== "text") throw badField(block.path, "The system prompt consists of text.");
    return joinContent([readBlock(block)]).text.replace(ACCOUNTING, "");
  });
  return texts.filter((text) => text.trim() !== "");
}

function readStops(value: Field): readonly string[] {
  if (!isGiven(value)) return [];
  return listAt(value, "stop_sequences").map((stop, index) => {
    const path = `stop_sequences.${index}`;
    const text = stringAt(stop, path);
    if (text.trim() === "") throw badField(path, "each stop sequence must contain non-whitespace");
    return text;
  });
}

/** The names go into a header; what cannot be a name there is `other`. */
function ignoredFields(body: JsonObject): readonly string[] {
  const names = Object.keys(body).filter((name) => {
    if (KNOWN.has(name) || !isUsed(body[name])) return false;
    return !(name === "context_management" && clearsOnlyThinking(objectAt(body[name], name)));
  });
  const isName = (name: string, index: number): boolean => index < MOST_NAMES && /^[\w.-]{1,64}$/.test(name);
  return [...new Set(names.map((name, index) => (isName(name, index) ? name : "other")))];
}

/** The most names of ignored fields that an answer lists. */
const MOST_NAMES = 32;

/** Earlier thinking is never sent to a CLI. */
function clearsOnlyThinking({ edits }: JsonObject): boolean {
  return (
    Array.isArray(edits) && edits.every((edit) => isJsonObject(edit) && String(edit["type"] ?? "").startsWith("clear_thinking_"))
  );
}

/** False for a field that is missing, null or an empty list. */
function isUsed(value: Field): boolean {
  return isGiven(value) && !(Array.isArray(value) && value.length === 0);
}

type Effort = NonNullable<RunRequest["effort"]>;

/** Anthropic's names of efforts. */
const NAMES: readonly EffortName[] = ["low", "medium", "high", "xhigh", "max"];

/** Whether the client gets the model's thinking, and the effort that a budget of tokens for it means. */
type ReadThinking = { readonly wantsReasoning: boolean; readonly effort?: Effort };

/** Reads `thinking`. CLIs take an effort instead of a budget: below 4,096 tokens it is low, below 16,384 medium, else high. */
function readThinking(value: Field): ReadThinking {
  if (!isGiven(value)) return { wantsReasoning: false };
  const thinking = objectAt(value, "thinking");
  const wantsReasoning = thinking["display"] !== "omitted";
  switch (thinking["type"]) {
    case "disabled":
      return { wantsReasoning: false };
    case "enabled": {
      const budget = countAt(thinking["budget_tokens"], "thinking.budget_tokens");
      return { wantsReasoning, effort: budget < 4096 ? "low" : budget < 16_384 ? "medium" : "high" };
    }
    case "adaptive":
    case "between_tools":
      return { wantsReasoning };
    default:
      throw badField("thinking.type", "Input should be 'enabled', 'adaptive', 'between_tools' or 'disabled'");
  }
}

/** Reads the effort and the schema of the answer; `output_format` is the older name of `output_config.format`. */
function readOutput(body: JsonObject): Pick<RunRequest, "effort" | "outputSchema"> {
  const config = isGiven(body["output_config"]) ? objectAt(body["output_config"], "output_config") : {};
  const { effort, format = body["output_format"] } = config as Readonly<Record<string, Field>>;
  const known = NAMES.find((name) => name === effort);
  if (isGiven(effort) && known === undefined)
    throw badField("output_config.effort", "Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
  return { ...(known !== undefined && { effort: EFFORTS[known] }), ...(isGiven(format) && { outputSchema: schemaOf(format) }) };
}

function schemaOf(value: Field): JsonObject {
  const format = objectAt(value, "output_config.format");
  if (format["type"] !== "json_schema") throw badField("output_config.format.type", "Input should be 'json_schema'");
  return objectAt(format["schema"], "output_config.format.schema");
}

/** The tools that the model gets. Deferred ones are among them if the conversation loaded them, or if they would have to be searched for. */
function readTools(value: Field, { offered, defined }: ToolChanges): readonly ToolDefinition[] {
  const listed = isGiven(value) ? listAt(value, "tools") : [];
  const tools = [...listed, ...defined].map((entry, index) => objectAt(entry, `tools.${index}`));
  const isSearched = tools.some(isToolSearch);
  return tools.flatMap((tool, index) => {
    if (isToolSearch(tool)) return [];
    const path = `tools.${index}`;
    const definition = readTool(tool, path);
    const isDeferred = flagAt(tool["defer_loading"], `${path}.defer_loading`);
    return (offered.get(definition.name) ?? (!isDeferred || isSearched)) ? [definition] : [];
  });
}

/** True for Anthropic's own search for deferred tools; without it the model sees all of them. */
function isToolSearch({ type }: JsonObject): boolean {
  return typeof type === "string" && type.startsWith("tool_search_tool_");
}

function readTool(tool: JsonObject, path: string): ToolDefinition {
  const { type, description } = tool as Readonly<Record<string, Field>>;
  if (isGiven(type) && type !== "custom") {
    const problem = `The tool type ${JSON.stringify(type)} is one of Anthropic's own; a CLI gets only custom tools.`;
    throw badField(path, problem, "Leave the tool out, or describe it with a name and an input_schema.");
  }
  return {
    name: stringAt(tool["name"], `${path}.name`),
    ...(isGiven(description) && { description: stringAt(description, `${path}.description`) }),
    parameters: objectAt(tool["input_schema"], `${path}.input_schema`),
  };
}

/** The choice of a request and what of it no CLI honours. */
type ReadChoice = { readonly toolChoice?: ToolChoice; readonly ignored: readonly string[] };

/** `auto` is left out, because it is the default. */
function readToolChoice(value: Field): ReadChoice {
  if (!isGiven(value)) return { ignored: [] };
  const choice = objectAt(value, "tool_choice");
  const isSerial = flagAt(choice["disable_parallel_tool_use"], "tool_choice.disable_parallel_tool_use");
  const ignored = isSerial ? ["tool_choice.disable_parallel_tool_use"] : [];
  switch (choice["type"]) {
    case "auto":
      return { ignored };
    case "any":
      return { toolChoice: "required", ignored };
    case "none":
      return { toolChoice: "none", ignored };
    case "tool":
      return { toolChoice: { name: stringAt(choice["name"], "tool_choice.name") }, ignored };
    default:
      throw badField("tool_choice.type", "Input should be 'auto', 'any', 'tool' or 'none'");
  }
}
