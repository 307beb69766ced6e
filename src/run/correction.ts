import type { PromptRequest, RunRequest } from "../spec/request.ts";
import { conversationOf, type SchemaPlace, toPromptRequest } from "../tools/to-prompt.ts";
import { describeProblems } from "../tools/tool-prompt.ts";

/** What was wrong with an answer. */
export type UnusableAnswer = { readonly said: string; readonly problems: readonly string[]; readonly sessionId?: string };

/** The request that tells the model so: in its session where it has one, otherwise the whole conversation again. */
export function toCorrection(request: RunRequest, schemaPlace: SchemaPlace, answer: UnusableAnswer): PromptRequest {
  const wanted = (request.tools ?? []).length > 0 ? "calls" : "object";
  const text = describeProblems(answer.problems, wanted);
  if (request.session !== undefined && answer.sessionId !== undefined) {
    const { messages: _, prompt: __, images: ___, ...rest } = request;
    return { ...toPromptRequest({ ...rest, tools: [], prompt: text }, schemaPlace), session: { resume: answer.sessionId } };
  }
  const { prompt: _, images: __, ...rest } = request;
  const messages = [
    ...conversationOf(request),
    { role: "assistant", text: answer.said } as const,
    { role: "user", text } as const,
  ];
  return toPromptRequest({ ...rest, messages }, schemaPlace);
}
