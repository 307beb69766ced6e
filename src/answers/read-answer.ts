import type { BoundTools } from "../schemas/validate-schema.ts";
import { isJsonObject, type JsonValue } from "../spec/json.ts";
import type { HostCall, InvalidCall, ToolChoice } from "../spec/message.ts";
import { type CallPlace, findCallPlaces } from "./call-places.ts";
import { beginsEnvelope, envelopeAround } from "./call-starts.ts";
import { ARGUMENT_KEYS, type DraftCall, type InvalidDraft, readEnvelope } from "./read-envelope.ts";
import { readJson } from "./read-json.ts";
import { NextIndex, SLICE, type Sliced } from "./slices.ts";

/** What an answer contains, by the rules in docs/host-tools.md. */
export type AnswerReading =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "calls"; readonly text: string; readonly calls: readonly HostCall[] }
  | {
      readonly kind: "problem";
      readonly text: string;
      readonly problems: readonly string[];
      /** All calls of the answer, if its only problems are unknown tools and wrong arguments. */
      readonly invalidCalls?: readonly InvalidCall[];
    };

export type ReadingRules = {
  readonly tools: BoundTools;
  readonly choice: ToolChoice;
  /** The mark that an envelope must carry; undefined if it needs none. */
  readonly mark: string | undefined;
  /** Ids in use; reading an answer adds its own. */
  readonly usedIds: Set<string>;
  readonly newId: () => string;
};

type PlaceReading = {
  readonly place: CallPlace;
  /** True when the place is removed from the text. */
  readonly isTaken: boolean;
  readonly calls: readonly (DraftCall | InvalidDraft)[];
  readonly problems: readonly string[];
};

const HINTS_AT_CALL = /tool_calls|<(?:tool_call|function_calls|invoke)\b|^\s*(?:[`~]{3}|[{[])/;

/** Reads an answer: its calls or their problems, and the text outside of them. One that cannot be parsed is a problem. */
export function* readAnswer(answer: string, rules: ReadingRules): Sliced<AnswerReading> {
  try {
    return yield* read(answer, rules);
  } catch {
    return { kind: "problem", text: answer.trim(), problems: ["The answer is too complex to be read."] };
  }
}

function* read(answer: string, rules: ReadingRules): Sliced<AnswerReading> {
  const places = HINTS_AT_CALL.test(answer) ? yield* findCallPlaces(answer) : [];
  const readings: PlaceReading[] = [];
  for (const place of places) {
    readings.push(yield* readPlace(answer, place, rules));
    yield;
  }
  const text = textOutside(
    answer,
    readings.filter(({ isTaken }) => isTaken).map(({ place }) => place),
  );
  const written = readings.flatMap(({ calls }) => calls);
  const drafts = written.filter((draft) => !("problem" in draft));
  const others = [
    ...readings.flatMap((reading) => reading.problems),
    ...(written.length > 0 ? [] : yield* findNearMiss(answer, places, rules.tools)),
    ...checkChoice(drafts, rules.choice),
  ];
  const problems = [...written.flatMap((draft) => ("problem" in draft ? [draft.problem] : [])), ...others];
  if (problems.length > 0)
    return { kind: "problem", text, problems, ...(others.length === 0 && { invalidCalls: toInvalid(written, rules) }) };
  if (drafts.length === 0) return { kind: "answer", text };
  return { kind: "calls", text, calls: drafts.map((draft) => withId(draft, rules)) };
}

/** The problem of a valid call beside invalid ones. */
export const NOT_ALONE = "It was not made, because another call of the answer is invalid.";

function toInvalid(written: readonly (DraftCall | InvalidDraft)[], rules: ReadingRules): readonly InvalidCall[] {
  return written.map((draft) => ({ ...withId(draft, rules), problem: "problem" in draft ? draft.problem : NOT_ALONE }));
}

/** The answer without these places: trimmed pieces with an empty line between them. */
function textOutside(answer: string, taken: readonly CallPlace[]): string {
  const starts = [0, ...taken.map(({ end }) => end)];
  const pieces = starts.map((start, index) => answer.slice(start, taken[index]?.start ?? answer.length).trim());
  return pieces.filter((piece) => piece !== "").join("\n\n");
}

function* readPlace(answer: string, place: CallPlace, { tools, mark }: ReadingRules): Sliced<PlaceReading> {
  const nothing = { place, isTaken: false, calls: [], problems: [] };
  if (place.kind !== "call") return (yield* namesBoundTool(answer, place, tools)) ? { ...nothing, problems: [UNCLEAR] } : nothing;
  const { contentEnd } = place;
  const start = startOfJson(answer, place.jsonStart, contentEnd);
  if (start === undefined) return nothing;
  const reading = yield* readJson(answer, start, "envelope", contentEnd);
  if (reading.kind !== "value") {
    const why = reading.kind === "cut" ? CUT : BROKEN;
    return beginsEnvelope(answer, start, contentEnd) ? { ...nothing, isTaken: true, problems: [why] } : nothing;
  }
  if (!isJsonObject(reading.value) || !Object.hasOwn(reading.value, "tool_calls")) return nothing;
  const value = reading.value["tool_calls"];
  if (reading.missingClosers && lacksArguments(value)) return { ...nothing, isTaken: true, problems: [CUT] };
  if (yield* hasEnvelope(answer, reading.end, contentEnd)) return { ...nothing, isTaken: true, problems: [TWO] };
  const isEmpty = Array.isArray(value) && value.length === 0;
  // The mark must stand there literally: the conversation is searched for it only in this form.
  const isMarked = mark === undefined || (reading.value["mark"] === mark && answer.slice(start, reading.end).includes(mark));
  if (!isEmpty && !isMarked) return { ...nothing, isTaken: true, problems: [NO_MARK] };
  return { place, isTaken: true, ...(yield* readEnvelope(value, tools)) };
}

const UNCLEAR = "It is not clear whether a tool call is meant: it does not stand in a block of its own.";
const CUT = "The tool call is not complete: it ends in the middle.";
const TWO = "There are two objects with tool calls in one block.";
const BROKEN = "The tool call is not valid JSON.";
const NO_MARK =
  'The object with tool calls does not have the "mark" of this conversation, so it may be a copy of text in the conversation.';

/** The offset of the first brace, if only space, a byte order mark or the word json comes before it. */
function startOfJson(text: string, from: number, to: number): number | undefined {
  const first = skipSpace(text, from, to);
  const start = /^json\b/i.test(text.slice(first, first + 5)) ? skipSpace(text, first + 4, to) : first;
  return start < to && (text[start] === "{" || text[start] === "[") ? start : undefined;
}

function skipSpace(text: string, from: number, to: number): number {
  const space = /[^\s\uFEFF]/g;
  space.lastIndex = from;
  return Math.min(to, space.exec(text)?.index ?? to);
}

function* hasEnvelope(text: string, from: number, to: number): Sliced<boolean> {
  const words = new NextIndex(text.slice(0, to), "tool_calls");
  for (let word = words.at(from); word < to; word = words.at(word + 1)) {
    if (envelopeAround(text, word, { from, to, keys: "first" }) !== -1) return true;
    yield;
  }
  return false;
}

/** The last call of a cut answer may lack its arguments because they had not arrived yet. */
function lacksArguments(value: JsonValue | undefined): boolean {
  const last = Array.isArray(value) ? value.at(-1) : value;
  if (!isJsonObject(last)) return true;
  const given = ARGUMENT_KEYS.map((key) => last[key]).find((argument) => argument !== undefined);
  return typeof given !== "string" && !isJsonObject(given);
}

const ANY_WORD = /[\p{L}\p{N}_.:/-]{1,128}/gu;
const NAME_VALUE = /["'“]?name["'”]?\s{0,20}[:=]\s{0,20}["'“]([^"'“”]{1,128})["'”]/g;

/** In another notation a tool name can be anywhere; in an envelope it is the value of its key. */
function* namesBoundTool(answer: string, { kind, start, end }: CallPlace, tools: BoundTools): Sliced<boolean> {
  for (let from = start; from < end; from += SLICE) {
    // Parts overlap, so that no name is divided.
    const part = answer.slice(from, Math.min(end, from + SLICE + 400));
    for (const [word, value = word] of part.matchAll(kind === "notation" ? ANY_WORD : NAME_VALUE))
      if (tools.has(value)) return true;
    yield;
  }
  return false;
}

/** Problems of an answer that consists only of a call in another shape. */
function* findNearMiss(answer: string, places: readonly CallPlace[], tools: BoundTools): Sliced<readonly string[]> {
  const trimmed = answer.trim();
  const [place, ...others] = places;
  const isAlone = place?.kind === "call" && others.length === 0 && answer.slice(place.start, place.end).trim() === trimmed;
  const source = isAlone ? answer.slice(0, place.contentEnd) : trimmed;
  const start = isAlone ? startOfJson(source, place.jsonStart, source.length) : trimmed.startsWith("[") ? 0 : undefined;
  const reading = start === undefined ? undefined : yield* readJson(source, start);
  if (reading?.kind !== "value" || source.slice(reading.end).trim() !== "") return [];
  const items: readonly JsonValue[] = Array.isArray(reading.value) ? reading.value : [reading.value];
  return items.length > 0 && items.every((item) => looksLikeCall(item, tools)) ? [SHAPE] : [];
}

const SHAPE = 'The tool call is not inside {"tool_calls":[…]}.';

function looksLikeCall(item: JsonValue, tools: BoundTools): boolean {
  if (!isJsonObject(item)) return false;
  const nested = item["function"];
  const source = isJsonObject(nested) ? nested : item;
  const hasArguments = ARGUMENT_KEYS.some((key) => Object.hasOwn(source, key));
  const name = source["name"];
  return hasArguments && typeof name === "string" && tools.has(name);
}

/** The problem of valid calls that are not what the tool choice demands. */
export function checkChoice(calls: readonly DraftCall[], choice: ToolChoice): readonly string[] {
  if (choice === "auto" || choice === "none") return [];
  if (choice === "required") return calls.length > 0 ? [] : ["A tool must be called, but none was."];
  const isMet = calls.length > 0 && calls.every(({ name }) => name === choice.name);
  return isMet ? [] : [`The tool ${choice.name} must be called, and no other.`];
}

function withId({ name, args, givenId }: DraftCall, { usedIds, newId }: ReadingRules): HostCall {
  const isUsable = givenId !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(givenId) && !usedIds.has(givenId);
  let id = isUsable ? givenId : newId();
  while (!isUsable && usedIds.has(id)) id = newId();
  usedIds.add(id);
  return { id, name, args };
}
