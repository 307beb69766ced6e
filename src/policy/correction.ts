import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import { conversationOf, schemaPlaceOf, toPromptRequest } from "../tools/to-prompt.ts";
import { describeProblems } from "../tools/tool-prompt.ts";

/** An answer that could not be used, and its problems. */
export type UnusableAnswer = {
  readonly fullText: string;
  readonly problems: readonly string[];
  readonly wanted: "calls" | "object";
  readonly sessionId?: string;
};

/** The request for a corrected answer: in the CLI's session if it has one, otherwise with the whole conversation again. */
export function toCorrection(request: RunRequest, provider: Provider, answer: UnusableAnswer): PromptRequest {
  const notice = describeProblems(answer.problems, answer.wanted);
  const { prompt: _, messages: __, images: ___, ...rest } = request;
  if (request.session !== undefined && answer.sessionId !== undefined) {
    const { tools: ____, toolChoice: _____, threadEncoding: ______, outputSchema, ...settings } = rest;
    const schema = outputSchema !== undefined && schemaPlaceOf(provider, request) === "native" ? { outputSchema } : {};
    return { ...toPromptRequest({ ...settings, ...schema, prompt: notice }, provider), session: { resume: answer.sessionId } };
  }
  const messages = [...conversationOf(request), { role: "assistant", text: answer.fullText } as const];
  return toPromptRequest({ ...rest, messages }, provider, notice);
}
