import { randomUUID } from "node:crypto";
import { reasoningFields, toInvalidToolCall, toResponseMetadata, toUsageMetadata } from "../adapters/langchain/answer-fields.ts";
import { toMessages } from "../adapters/langchain/to-messages.ts";
import type { Client } from "../client.ts";
import { AnswerReader, type ToolReport } from "../doors/answer-reader.ts";
import { firstTarget } from "../doors/named-targets.ts";
import { splitSystem } from "../prompts/to-prompt.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { defined } from "../spec/json.ts";
import type { RunRequest, Target, Targets } from "../spec/request.ts";
import { targetName } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { Usage } from "../spec/wire/usage.ts";
import type { AgentModel, ModelAnswer, ModelCall, ModelPart, OfferedTool } from "./model/agent-model.ts";
import { type StoredMessage, stored, toPlainMessage } from "./model/message.ts";

/** A CLI of a client as the model of an agent. */
export function clientModel(client: Client, choice: string | Targets, offered: readonly OfferedTool[]): AgentModel {
  const target = firstTarget(client, choice);
  return {
    name: target.model ?? target.provider,
    takesSchema: true,
    async ask(messages, call) {
      const asked = toRequest(messages, offered, call);
      const { signal, outputSchema, onPart } = call;
      const onTool = async (event: ToolReport): Promise<void> => tellTool(event, onPart);
      // An agent that waits in the queue has no way to ask for a later try.
      const run = client.run(choice, asked, { fullQueue: "wait", signal });
      const said = { text: "", reasoning: "" };
      let result: RunResult | undefined;
      for await (const parts of new AnswerReader(run, { asked, isObject: outputSchema !== undefined, onTool })) {
        for (const part of parts) {
          if (part.type === "end") result = part.result;
          if (part.type !== "text" && part.type !== "reasoning") continue;
          said[part.type] += part.text;
          onPart(part);
        }
      }
      return withStandIn(toAnswer(result ?? (await run.outcome()), target, said), result);
    },
  };
}

/** The answer with a warning if another CLI gave it than the one that was asked first. */
function withStandIn(answer: ModelAnswer, result: RunResult | undefined): ModelAnswer {
  const attempts = result?.attempts ?? [];
  const [asked, answered] = [attempts[0], attempts.at(-1)].map((attempt) => attempt && targetName(attempt));
  if (asked === answered) return answer;
  const message = `${answered} answered, because ${asked} could not: ${attempts[0]?.failure?.message ?? ""}`;
  return { ...answer, warnings: [...answer.warnings, { code: "answered-by-fallback", message }] };
}

function toRequest(messages: readonly StoredMessage[], offered: readonly OfferedTool[], call: ModelCall): RunRequest {
  const { outputSchema, budget } = call;
  const { system = "", ...conversation } = splitSystem(toMessages(messages.map(toPlainMessage), "blocks"));
  const tools = offered.map(({ definition }) => definition);
  return {
    ...defined({ messages: conversation.messages, outputSchema, budget }),
    ...(system !== "" && { system }),
    ...(tools.length > 0 && { tools, invalidCalls: "return" }),
  };
}

function tellTool(event: ToolReport, tell: (part: ModelPart) => void): void {
  if (event.type === "tool-reset") tell({ type: "tool-end", id: event.id, output: null, isError: false, synthetic: true });
  else if (event.type === "tool-end" || event.executor === "cli") tell(event);
}

function toAnswer(result: RunResult, target: Target, { text, reasoning }: { text: string; reasoning: string }): ModelAnswer {
  const { hostCalls = [], invalidCalls = [], usage, costUsd, costScope, finish, warnings } = result;
  if (result.failure !== undefined) throw new RunError(result.failure, result);
  const message = stored("ai", {
    tool_calls: hostCalls.map(({ id, name, args }) => ({ name, args: { ...args }, id, type: "tool_call" })),
    invalid_tool_calls: invalidCalls.map(toInvalidToolCall),
    content: text,
    ...{ additional_kwargs: {}, ...reasoningFields(reasoning) },
    response_metadata: toResponseMetadata(result, target),
    ...(usage && { usage_metadata: toStoredCounts(usage) }),
    id: `run-${randomUUID()}`,
  });
  return defined({ message, finish, warnings, usage, costUsd, costScope });
}

/** LangChain stores the details of an answer that came in pieces also if they are empty. */
function toStoredCounts(usage: Usage): ReturnType<typeof toUsageMetadata> {
  const { input_token_details = {}, output_token_details = {}, ...counts } = toUsageMetadata(usage);
  return { ...counts, input_token_details, output_token_details };
}
