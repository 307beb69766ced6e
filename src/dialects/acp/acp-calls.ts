import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { AcpCli } from "./acp-cli.ts";

export type AcpCall = ToldInput & { readonly id: string; readonly name: string };

type OpenCall = { readonly id: string; readonly name: string; told: ToldInput; isComplete: boolean; isOver: boolean };

const UNTOLD: ToldInput = { input: null, isDescription: true };

/** The tool calls of a turn. Each begins, gets its input and ends once, whichever message names it first. */
export class AcpCalls {
  private readonly cli: Pick<AcpCli, "toolName" | "inputOf">;
  private readonly calls = new Map<string, OpenCall>();
  private readonly times = new Map<string, number>();

  constructor(cli: Pick<AcpCli, "toolName" | "inputOf">) {
    this.cli = cli;
  }

  /** Begins the call if it is new, and completes it once its input is known or it runs. */
  announce(call: JsonObject, into: EventDraft[]): AcpCall {
    const known = this.find(call, into);
    const { id, name } = known;
    const isQuestion = call["sessionUpdate"] === undefined;
    this.learn(known, call, isQuestion);
    // OpenCode announces a call while the model still writes its input.
    if (!known.isComplete && (call["status"] !== "pending" || isQuestion)) this.complete(known, into);
    return { id, name, ...known.told };
  }

  update(call: JsonObject, into: EventDraft[]): void {
    const known = this.find(call, into);
    if (known.isOver) return;
    this.announce(call, into);
    if (!isEnd(call)) return;
    known.isOver = true;
    into.push({ type: "tool-end", id: known.id, output: outputOf(call), isError: call["status"] === "failed" });
  }

  /** The words of a later update can be those of the output. */
  private learn(known: OpenCall, call: JsonObject, isQuestion: boolean): void {
    const message = isEnd(call) ? { rawInput: call["rawInput"] ?? null } : call;
    const told = toldInput(message, known.name, this.cli.inputOf);
    const isNews = known.told === UNTOLD || (isQuestion && known.told.isDescription);
    if (told !== undefined && (isNews || !told.isDescription)) known.told = told;
  }

  private complete(call: OpenCall, into: EventDraft[]): void {
    const { id, name, told } = call;
    call.isComplete = true;
    into.push({ type: "tool-call", id, name, input: told.input, executor: "cli" });
  }

  /** An id that is used again after its end is another call. */
  private find(call: JsonObject, into: EventDraft[]): OpenCall {
    const callId = stringOf(call["toolCallId"]) ?? "";
    const known = this.calls.get(callId);
    const isUpdate = call["sessionUpdate"] === "tool_call_update";
    if (known !== undefined && (!known.isOver || isUpdate)) return known;
    const times = this.times.get(callId) ?? 0;
    this.times.set(callId, times + 1);
    const id = times === 0 ? callId : `${callId}:${times}`;
    const name = (this.cli.toolName === undefined ? stringOf(call["title"]) : this.cli.toolName(call)) ?? "";
    const begun: OpenCall = { id, name, told: UNTOLD, isComplete: false, isOver: false };
    this.calls.set(callId, begun);
    into.push({ type: "tool-start", id, name });
    return begun;
  }
}

function isEnd({ status }: JsonObject): boolean {
  return status === "completed" || status === "failed";
}

/** The output that the CLI shows, or the one that it gave the model. */
function outputOf(call: JsonObject): JsonValue {
  const texts = textsOf(call);
  return texts.length > 0 ? texts.join("\n") : (call["rawOutput"] ?? null);
}

type ToldInput = {
  readonly input: JsonValue;
  /** True if the message has no input: it only describes the call, or not even that. */
  readonly isDescription: boolean;
};

/**
 * The input of a call: the one in the message, the changes of files that the message shows, or else its words. Undefined if the message says
 * nothing about it. `inputOf` reads what only this CLI says.
 */
function toldInput(
  call: JsonObject,
  name: string,
  inputOf: ((call: JsonObject, name: string) => JsonValue | undefined) | undefined,
): ToldInput | undefined {
  const raw = call["rawInput"] ?? undefined;
  const isEmpty = JSON.stringify(raw) === "{}";
  if (raw !== undefined && !isEmpty) return { input: raw, isDescription: false };
  const known = inputOf?.(call, name) ?? changesOf(call);
  if (known !== undefined) return { input: known, isDescription: false };
  const words = describe(call, name);
  if (Object.keys(words).length > 0) return { input: words, isDescription: true };
  return isEmpty ? { input: {}, isDescription: false } : undefined;
}

export function textsOf(call: JsonObject): readonly string[] {
  return listOf(call["content"]).flatMap((part) => stringOf(objectOf(objectOf(part)?.["content"])?.["text"]) ?? []);
}

function changesOf(call: JsonObject): JsonObject | undefined {
  const changes = listOf(call["content"]).flatMap((part) => {
    const { type, path = "", oldText = null, newText = null } = objectOf(part) ?? {};
    return type === "diff" ? [{ path, oldText, newText }] : [];
  });
  return changes.length === 0 ? undefined : { changes };
}

function describe(call: JsonObject, name: string): JsonObject {
  const [title, text] = [stringOf(call["title"]) ?? "", textsOf(call).join("\n")];
  const paths = listOf(call["locations"]).flatMap((place) => stringOf(objectOf(place)?.["path"]) ?? []);
  return {
    ...(title !== "" && title !== name && { title }),
    ...(text !== "" && { text }),
    ...(paths.length > 0 && { paths }),
  };
}
