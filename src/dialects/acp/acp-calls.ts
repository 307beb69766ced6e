import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import { type BookedCall, CallBook } from "../kit/message-lane.ts";
import type { AcpCli } from "./acp-cli.ts";

export type AcpCall = ToldInput & { readonly id: string; readonly name: string };

const UNTOLD: ToldInput = { input: null, isDescription: true };

/** The tool calls of a turn. Each begins, gets its input and ends once, whichever message names it first. */
export class AcpCalls {
  private readonly cli: Pick<AcpCli, "toolName" | "inputOf">;
  private readonly calls = new CallBook();
  private readonly told = new Map<BookedCall, ToldInput>();

  constructor(cli: Pick<AcpCli, "toolName" | "inputOf">) {
    this.cli = cli;
  }

  /** Begins the call if it is new, and completes it once its input is known or it runs. */
  announce(message: JsonObject, into: EventDraft[]): AcpCall {
    const call = this.find(message, into);
    const { id, name } = call;
    const isQuestion = message["sessionUpdate"] === undefined;
    const told = this.learn(call, message, isQuestion);
    // OpenCode announces a call while the model still writes its input.
    if (call.state === "announced" && (message["status"] !== "pending" || isQuestion)) {
      call.state = "complete";
      into.push({ type: "tool-call", id, name, input: told.input, executor: "cli" });
    }
    return { id, name, ...told };
  }

  update(message: JsonObject, into: EventDraft[]): void {
    const call = this.find(message, into);
    if (call.state === "over") return;
    this.announce(message, into);
    if (!isEnd(message)) return;
    call.state = "over";
    into.push({ type: "tool-end", id: call.id, output: outputOf(message), isError: message["status"] === "failed" });
  }

  /** The words of a later update can be those of the output. */
  private learn(call: BookedCall, message: JsonObject, isQuestion: boolean): ToldInput {
    const known = this.told.get(call);
    const said = isEnd(message) ? { rawInput: message["rawInput"] ?? null } : message;
    const told = toldInput(said, call.name, this.cli.inputOf);
    const isNews = known === undefined || (isQuestion && known.isDescription);
    if (told === undefined || (!isNews && told.isDescription)) return known ?? UNTOLD;
    this.told.set(call, told);
    return told;
  }

  /** An id that is used again after its end is another call. */
  private find(message: JsonObject, into: EventDraft[]): BookedCall {
    const callId = stringOf(message["toolCallId"]) ?? "";
    const known = this.calls.get(callId);
    const isUpdate = message["sessionUpdate"] === "tool_call_update";
    if (known !== undefined && (known.state !== "over" || isUpdate)) return known;
    const { toolName = ({ title }) => stringOf(title) } = this.cli;
    const call = this.calls.begin(callId, toolName(message) ?? "");
    into.push({ type: "tool-start", id: call.id, name: call.name });
    return call;
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
