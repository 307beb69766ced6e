import type { AnswerPart } from "../../doors/answer-part.ts";
import { type Fields, readFields } from "../../formats/fields.ts";
import { type ResponseEvent, ResponseWriter, toResponseUsage } from "../../formats/openai-responses.ts";
import { splitSystem } from "../../prompts/to-prompt.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { JsonObject } from "../../spec/json.ts";
import { type AnswerHead, type Frame, type FrameWriter, type GatewayRequest, type Protocol, usageField } from "../protocol.ts";
import { toError, toErrorReply } from "./error.ts";
import {
  findIgnored,
  findParallel,
  findUnusedFormat,
  openAiFields,
  pick,
  readEffort,
  readFormat,
  refuseUnless,
} from "./request-fields.ts";
import { readInput } from "./responses-input.ts";
import { StoredResponses, type StoreLimits } from "./stored-responses.ts";
import { readTools, toCallText, toolSettings, toolsByName } from "./tools.ts";

/** OpenAI's Responses. Its answers are kept for the next requests, unless a request has `store: false`. */
export function createResponses(limits: Partial<StoreLimits> = {}): Protocol {
  const stored = new StoredResponses(limits);
  /** The bodies of requests whose answers are kept. */
  const bodies = new WeakMap<GatewayRequest, JsonObject>();
  const keep = (head: AnswerHead, response: JsonObject): void => {
    const body = bodies.get(head.asked);
    if (body !== undefined) stored.put(body, response);
  };
  return {
    read(body) {
      return readFields(() => {
        const whole = stored.withItems(body);
        const asked = readResponsesRequest(stored.withPrevious(whole));
        if (!("category" in asked) && body["store"] !== false) bodies.set(asked, whole);
        return asked;
      });
    },
    whole(head, parts) {
      let whole: JsonObject = {};
      responseFrames(head, (response) => {
        whole = response;
        keep(head, response);
      }).write(parts);
      return whole;
    },
    frames: (head) => responseFrames(head, (response) => keep(head, response)),
    error: toErrorReply,
  };
}

/** Writes an answer as the events of a response; `onEnd` gets the whole response of an answer that did not fail. */
function responseFrames(head: AnswerHead, onEnd: (response: JsonObject) => void): FrameWriter {
  const { id, createdAt, asked } = head;
  const tools = toolsByName(asked.kept?.["tools"]);
  const base = { ...DEFAULTS, ...asked.kept, id: `resp_${id}`, object: "response", created_at: createdAt, model: asked.model };
  const writer = new ResponseWriter(base, (prefix, index) => `${prefix}${id}${index.toString().padStart(4, "0")}`);
  const writePart = (part: AnswerPart): readonly ResponseEvent[] => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return writer.text(part.type, part.text);
      case "host-call":
      case "invalid-call": {
        const tool = tools.get(part.call.name);
        const { name = part.call.name, namespace, isCustom = false } = tool ?? {};
        return writer.call({ id: part.call.id, name, namespace, isCustom }, [toCallText(part.call, tool)]);
      }
      case "end": {
        const events = writer.end(part.result.finish, usageField(part.result, toResponseUsage));
        onEnd(writer.response());
        return events;
      }
      default:
        // The tools that a CLI runs itself have no form in OpenAI's APIs.
        return [];
    }
  };
  return {
    begin: () => writer.begin().map(toFrame),
    write: (parts) => parts.flatMap(writePart).map(toFrame),
    // The official client throws at the event `error`; Codex reads the reason from `response.failed`.
    fail(failure) {
      const { message, code, param } = toError(failure);
      const closing = writer.endItem("incomplete");
      return [...closing, writer.number({ type: "error", code, message, param }), writer.fail({ code, message })].map(toFrame);
    },
  };
}

function toFrame(event: ResponseEvent): Frame {
  return { event: event.type, data: event };
}

const DEFAULTS: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
  usage: null,
};

const REPEATED = [
  ...["instructions", "max_output_tokens", "metadata", "parallel_tool_calls", "previous_response_id", "prompt_cache_key"],
  "reasoning",
  ...["safety_identifier", "service_tier", "store", "temperature", "text", "tool_choice", "top_p", "truncation", "user"],
] as const;

/** Parameters that are used, and those without a meaning for a CLI and its answer; all others are named as ignored. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["model", "input", "instructions", "stream", "stream_options", "max_output_tokens", "reasoning", "text", "top_logprobs"],
  ...["tools", "tool_choice", "parallel_tool_calls", "background", "user", "metadata", "store", "include", "service_tier"],
  ...["safety_identifier", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "client_metadata"],
  "previous_response_id",
]);

export function readResponsesRequest(values: JsonObject): GatewayRequest | Failure {
  return readFields(() => {
    const body = openAiFields(values);
    refuseOthers(body);
    const input = readInput(body);
    const list = [...body.objects("tools"), ...input.tools];
    const { tools, ignored } = readTools(list);
    const settings = toolSettings(body, tools);
    const format = body.object("text")?.object("format");
    const limit = body.count("max_output_tokens");
    const { system, messages } = splitSystem(input.messages);
    const instructions = [body.text("instructions") ?? "", system ?? ""].filter((text) => text !== "").join("\n\n");
    const request = {
      messages,
      ...(instructions !== "" && { system: instructions }),
      ...settings,
      ...readFormat(format),
      ...readEffort(body.object("reasoning"), "effort"),
      ...(limit !== undefined && { maxOutputTokens: limit }),
    };
    return {
      model: body.neededText("model"),
      request,
      stop: [],
      isStream: body.flag("stream") ?? false,
      ignored: [
        ...[...findIgnored(body, KNOWN), ...findInner(body), ...findUnusedFormat(format)],
        ...[...findParallel(body, settings), ...ignored],
      ],
      named: { maxOutputTokens: "max_output_tokens", effort: "reasoning.effort" },
      kept: { ...pick(body, REPEATED), tools: list.map((tool) => tool.values) },
    };
  });
}

/** Settings inside of used ones that no CLI has. */
function findInner(body: Fields): readonly string[] {
  return body.object("text")?.value("verbosity") === undefined ? [] : ["text.verbosity"];
}

function refuseOthers(body: Fields): void {
  refuseUnless(body, "conversation", [], "send the whole conversation in 'input', or use previous_response_id.");
  refuseUnless(body, "prompt", [], "there are no stored prompts; use 'input' and 'instructions'.");
  refuseUnless(body, "background", [false], "an answer is sent as it is made.");
  refuseUnless(body, "top_logprobs", [0], "CLIs report no probabilities.");
  if (body.texts("include").includes("message.output_text.logprobs"))
    throw body.unsupported("include", "'include' cannot have message.output_text.logprobs: CLIs report no probabilities.");
}
