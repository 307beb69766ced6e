import { expect, onTestFinished } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { codex } from "../../src/clis/codex/provider.ts";
import { type JsonValue, listOf, objectOf } from "../../src/spec/json.ts";
import { capabilitiesOf } from "../../src/spec/provider/cli-data.ts";
import { anthropicError, type FakeAnswer, type FakeApiRequest, responsesError } from "../../src/testing/index.ts";
import { answerAt, type ModelAnswer, type Subject } from "../langchain/chat-model-suite/subject.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { processesWith } from "../support/processes/process-scan.ts";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { openRealCli } from "./open-real-cli.ts";

/** A real CLI as the subject of the chat model suite; the fake API answers by the script. */
export function realSubject(name: CliName): Subject {
  return {
    name,
    takesImages: name === "claude" || capabilitiesOf(codex).images,
    construct: (fields = {}) => new ChatCli({ ...fields, provider: name }),
    async open(script, fields = {}) {
      const cli = await openRealCli(name, (request, index) =>
        toFakeAnswer(answerAt(script, index, wordsOf(request)), name, request),
      );
      const running = (): Promise<readonly number[]> => processesWith("HOME", cli.home);
      onTestFinished(async () => {
        await cli.client.close();
        expect(await running()).toEqual([]);
      });
      return {
        model: new ChatCli({ ...fields, provider: name, client: cli.client }),
        told: () => cli.api.modelRequests.map(wordsOf),
        ...(name === "codex" && { said: () => saidIn(cli.api.modelRequests[0]) }),
        running,
        close: () => cli.client.close(),
      };
    },
  };
}

const SPEAKERS: Readonly<Record<string, string>> = { user: "human", assistant: "ai", developer: "system" };

/** Type and text of the messages that Codex has sent its model. */
function saidIn(request: FakeApiRequest | undefined): readonly (readonly [type: string, text: string])[] {
  return listOf(objectOf(request?.body)?.["input"]).flatMap((item) => {
    const { role, content } = objectOf(item) ?? {};
    const speaker = SPEAKERS[String(role)];
    return speaker === undefined
      ? []
      : [
          [
            speaker,
            listOf(content)
              .map((part) => String(objectOf(part)?.["text"]))
              .join(""),
          ] as const,
        ];
  });
}

/** Every string of a request to the model, in order. */
function wordsOf(request: FakeApiRequest): string {
  return stringsIn(request.body).join("\n");
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** A structured answer is a tool call at Anthropic, if there is a tool for it, and text everywhere else. */
function toFakeAnswer(answer: ModelAnswer, name: CliName, request: FakeApiRequest): FakeAnswer {
  switch (answer.kind) {
    case "text":
      return answer.thinking === undefined ? answer : { kind: "reasoning", reasoning: answer.thinking, text: answer.text };
    case "calls":
      return { kind: "text", text: callBlock(...answer.calls), ...(answer.usage === undefined ? {} : { usage: answer.usage }) };
    case "object":
      return hasSchemaTool(request)
        ? { kind: "tool-calls", calls: [{ name: "StructuredOutput", input: answer.object }] }
        : { kind: "text", text: JSON.stringify(answer.object) };
    case "stall":
      return { kind: "stall", afterText: "Half an answer" };
    case "failure":
      return name === "claude" ? anthropicError("credit_balance_too_low") : responsesError("insufficient_quota");
    default:
      return answer;
  }
}

function hasSchemaTool(request: FakeApiRequest): boolean {
  return listOf(objectOf(request.body)?.["tools"]).some((tool) => objectOf(tool)?.["name"] === "StructuredOutput");
}
