import type { AIMessage } from "@langchain/core/messages";
import { toCorrection } from "../adapters/langchain/ask-adapter.ts";
import { untilAborted } from "../adapters/langchain/until-aborted.ts";
import { failedEnd } from "../run/ends.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { AgentRun } from "./agent-run.ts";
import type { ObjectReading, WantedObject } from "./wanted-object.ts";

/** The end of a run whose model has called the tool for the answer in its last step; undefined if it has not. */
export async function takeCall(run: AgentRun, wanted: WantedObject): Promise<RunEnd | undefined> {
  const { thread, signal } = run;
  const isTaken = ({ id = "", name }: { id?: string; name: string }): boolean =>
    name === wanted.tool?.name && thread.resultOf(id)?.status === "success";
  const call = thread.lastAnswer()?.tool_calls?.find(isTaken);
  if (call === undefined) return undefined;
  const reading = await untilAborted(wanted.readValue(call.args as JsonObject), signal);
  return "problems" in reading
    ? mismatch(reading.problems, JSON.stringify(call.args))
    : writeObject(run, reading.value, "object");
}

/** The end of a run with a last answer as text; undefined if the model is told to correct it, which happens once. */
export async function takeText(
  run: AgentRun,
  wanted: WantedObject,
  answer: AIMessage,
  corrections: number,
): Promise<RunEnd | undefined> {
  const { thread, writer, signal } = run;
  const missing = `The answer must be given by a call of the tool ${wanted.tool?.name}.`;
  const reading: ObjectReading =
    wanted.tool === undefined ? await untilAborted(wanted.readText(answer.text), signal) : { problems: [missing] };
  if ("value" in reading) return writeObject(run, reading.value, `step-${thread.step}`);
  if (corrections > 0) return mismatch(reading.problems, answer.text);
  writer.write({ type: "warning", code: "object-corrected", message: reading.problems.slice(0, 8).join(" ") });
  thread.add("message", toCorrection(reading.problems));
  return undefined;
}

function writeObject({ writer }: AgentRun, object: JsonValue, messageId: string): RunEnd {
  writer.write({ type: "object-delta", object });
  writer.writeText(messageId, JSON.stringify(object));
  writer.write({ type: "text-end", messageId });
  return { type: "run-end", finish: "stop", answerId: messageId };
}

function mismatch(problems: readonly string[], partialText: string): RunEnd {
  const why = `The model gave an invalid answer: ${problems.slice(0, 8).join(" ")}`;
  return failedEnd(createFailure("schema-mismatch", why, { partialText }), partialText);
}
