import { CUT_OFF, isLoopWarning, NO_REQUEST, readGeminiFault, toGeminiFault } from "../../clis/gemini/read-fault.ts";
import { plainText } from "../../dialects/generic/plain-text.ts";
import { amountOf, type JsonObject, type JsonValue, listOf, nativeText, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnReader } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import type { ExitReport, Fault, WireStep } from "../../spec/wire/wire.ts";

type TextState = { readonly turn: TurnReader; isBlank: boolean };

/** The output of `gemini -o text`, as plain text. Empty output is no answer, because Gemini then exits with 0 too (fixture text-format-empty). */
export const geminiText: SimpleWire = defineWire<TextState>({
  framing: "text",
  start: (context) => ({ turn: plainText.start(context), isBlank: true }),
  step(state, native) {
    if (typeof native !== "string" || native.trim() !== "") state.isBlank = false;
    return state.turn.step(native);
  },
  finish: ({ turn, isBlank }, exit) => (isBlank && exit.exitCode === 0 ? NO_STEP : turn.finish(exit)),
});

type State = { isBroken: boolean };

const RESPONSE = "response";

/** The document of `gemini -o json`; docs/dialects/gemini.md has the rules. */
export const geminiJson: SimpleWire = defineWire<State>({
  framing: "json",
  start: () => ({ isBroken: false }),
  step,
  finish: (state: State, exit: ExitReport) =>
    state.isBroken && exit.exitCode === 0 ? { events: [], turnEnd: { finish: "length", fault: CUT_OFF } } : NO_STEP,
});

function step(state: State, native: JsonValue): WireStep {
  const document = objectOf(native);
  if (document !== undefined) return readDocument(document);
  const text = nativeText(native);
  state.isBroken = text.startsWith("{");
  return { events: [{ type: "native", text }] };
}

function readDocument(document: JsonObject): WireStep {
  const [sessionId, text] = [stringOf(document["session_id"]), stringOf(document["response"]) ?? ""];
  const warnings = listOf(document["warnings"]).filter((entry) => typeof entry === "string");
  const stats = objectOf(document["stats"]) ?? {};
  const usage = readDocumentUsage(stats);
  const fault = readFault(document, warnings, text === "" && usage === undefined && countTools(stats) === 0);
  const events: EventDraft[] = [
    ...(sessionId === undefined ? [] : [{ type: "session-start", sessionId } as const]),
    ...warnings.map((message) => ({ type: "warning", code: "cli-warning", message }) as const),
    ...(fault === undefined && asksAgain(stats) ? [REPEATED] : []),
    ...(text === "" ? [] : [{ type: "text-delta", messageId: RESPONSE, text } as const]),
    ...(text === "" || fault !== undefined ? [] : [{ type: "text-end", messageId: RESPONSE } as const]),
    ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
  ];
  if (fault === undefined) return { events, turnEnd: { finish: "stop", ...(text !== "" && { answerId: RESPONSE }) } };
  return { events, turnEnd: { finish: isLoopWarning(fault.message) ? "length" : "error", fault } };
}

function readFault(document: JsonObject, warnings: readonly string[], isEmpty: boolean): Fault | undefined {
  const error = objectOf(document["error"]);
  if (error !== undefined) return readGeminiFault(error, { error });
  const loop = warnings.find(isLoopWarning);
  if (loop !== undefined) return toGeminiFault(loop);
  return isEmpty ? NO_REQUEST : undefined;
}

const REPEATED: EventDraft = {
  type: "warning",
  code: "text-repeated",
  message: "Gemini asked more than once; the answer may hold a beginning twice.",
};

function countTools(stats: JsonObject): number {
  return numberOf(objectOf(stats["tools"])?.["totalCalls"]) ?? 0;
}

/** Without tools an answer takes one request; Gemini appends the text of a second request to that of the first. */
function asksAgain(stats: JsonObject): boolean {
  const roles = Object.values(objectOf(stats["models"]) ?? {}).map((model) =>
    objectOf(objectOf(objectOf(model)?.["roles"])?.["main"]),
  );
  const asked = roles.reduce(
    (sum, main) => sum + (numberOf(main?.["totalRequests"]) ?? 0) - (numberOf(main?.["totalErrors"]) ?? 0),
    0,
  );
  return countTools(stats) === 0 && asked > 1;
}

/** The usage in the `stats` of a document: the sum over its models. */
function readDocumentUsage(stats: JsonObject): Usage | undefined {
  const models = Object.values(objectOf(stats["models"]) ?? {}).map((model) => objectOf(objectOf(model)?.["tokens"]) ?? {});
  const sum = (name: string): number => models.reduce((before, tokens) => before + countOf(tokens, name), 0);
  const [inputTokens, reasoningTokens] = [sum("prompt") + sum("tool"), sum("thoughts")];
  const outputTokens = sum("candidates") + reasoningTokens;
  const [totalTokens, cacheReadTokens] = [inputTokens + outputTokens, sum("cached")];
  if (totalTokens === 0 && cacheReadTokens === 0) return undefined;
  return { inputTokens, outputTokens, totalTokens, cacheReadTokens, reasoningTokens, estimated: false, scope: "turn" };
}

function countOf(counts: JsonObject, name: string): number {
  return amountOf(counts[name]) ?? 0;
}
