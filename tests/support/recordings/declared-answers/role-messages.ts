import type { Recording } from "../../../../src/replay/replay.ts";
import { joinTexts, readKey, readRawValues } from "./raw-values.ts";

const OWN_WORDS =
  /^(?:Sorry, I encountered an error: |Maximum tool execution rounds reached\.|I understand, but I don't have a specific response\.$)/;

/** The first assistant message without tool calls, empty if it is one of the CLI's own sentences. */
export function readDeclaredRoleAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording).flatMap((value) => readKey(value, "messages") ?? value);
  const answer = values.find((value) => readKey(value, "role") === "assistant" && readKey(value, "tool_calls") === undefined);
  const said = joinTexts([answer], "content");
  return answer === undefined ? [] : [OWN_WORDS.test(said) ? "" : said];
}
