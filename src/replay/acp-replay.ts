import { warnOfDropped } from "../attempt/conclude.ts";
import type { Ending } from "../failures/classify.ts";
import { createNativeReader, type NativeReader } from "../process/channel/native-reader.ts";
import { DEFAULT_LINE_BYTES } from "../request/defaults.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, parseJson, stringOf } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunMode } from "../spec/request.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import type { Connection, Send, Wire, WireStep, WireTurn } from "../spec/wire/wire.ts";
import { NOTHING_KNOWN, ReplayedRun } from "./recorded-turns.ts";

/** A turn of the recording, and the request of our wire that it waits for. */
type Replayed = { readonly place: number; readonly turn: WireTurn; readonly run: ReplayedRun; asked: Asked | undefined };

type Asked = { readonly id: JsonValue; readonly method: string };

/**
 * Reads the recorded output of an agent of the Agent Client Protocol through the connection of its wire. The client of the recording may have
 * numbered its requests otherwise, or have continued sessions where the wire opens new ones; so each answer gets the number of the wire's own
 * request, and a turn whose session was opened earlier is told its id.
 */
export class AcpReplay {
  private readonly provider: Provider;
  private readonly requests: AcpRequests;
  private readonly mode: RunMode;
  private readonly connection: Connection;
  private readonly reader: NativeReader;
  private readonly handshake: Asked | undefined;
  private readonly turns: Replayed[] = [];
  /** The turns of the prompts that have begun. */
  private readonly begun = new Map<AcpRequest, Replayed>();
  private readonly answered = new Set<AcpRequest>();

  constructor(provider: Provider, wire: Wire, stdin: string, mode: RunMode) {
    this.provider = provider;
    this.requests = new AcpRequests(stdin);
    this.mode = mode;
    this.connection = wire.connect();
    this.handshake = askedBy(this.connection.open());
    this.reader = createNativeReader(wire.framing, {
      lineBytes: DEFAULT_LINE_BYTES,
      onValue: (native) => this.take(native),
      onDropped: (line) => this.turns.at(-1)?.run.log.add(warnOfDropped(line)),
    });
  }

  /** Adds the next bytes. */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Ends the output and returns the events of every turn, in the order of their requests. */
  end(ending: Ending): readonly (readonly RunEvent[])[] {
    this.reader.end();
    for (const prompt of this.requests.prompts()) this.turnOf(prompt);
    if (this.turns.length === 0) this.begin(0);
    for (const replayed of this.turns) {
      if (replayed.run.events === undefined) this.follow(replayed, replayed.turn.finish(ending), ending);
    }
    const inOrder = this.turns.toSorted((one, other) => one.place - other.place);
    return inOrder.map(({ run }) => run.events ?? run.endWithProcess(ending));
  }

  private take(native: JsonValue): void {
    const message = objectOf(native) ?? {};
    if (message["method"] === undefined) return this.takeAnswer(message);
    const sessionId = stringOf(objectOf(message["params"])?.["sessionId"]);
    if (sessionId !== undefined) this.beginNext(sessionId);
    this.route(message);
  }

  private takeAnswer(message: JsonObject): void {
    const request = this.requests.answeredBy(message);
    if (request === undefined) return;
    this.answered.add(request);
    const isError = message["error"] !== undefined;
    const { method, place } = request;
    if (method === "session/prompt") this.answer(this.turnOf(request).asked, message);
    else if (method === "initialize") {
      if (isError) this.begin(place);
      this.answer(this.handshake, message);
      // A session that cannot be opened is the failure of a turn that has no prompt yet.
    } else if (isError && (method === "session/new" || method === "session/load")) this.answer(this.begin(place).asked, message);
  }

  /** Gives an answer the number that it has here. */
  private answer(asked: Asked | undefined, message: JsonObject): void {
    if (asked !== undefined) this.route({ ...message, id: asked.id });
  }

  private route(message: JsonObject): void {
    for (const { turn: key, native } of this.connection.route?.(message) ?? []) {
      const replayed = key === undefined ? undefined : this.turns[key];
      if (replayed === undefined || replayed.run.events !== undefined) continue;
      const step = replayed.turn.step(native);
      this.follow(replayed, step);
      for (const { requestId } of step.asks ?? []) this.decide(replayed, requestId, message);
    }
  }

  /** Answers a question as the host of the recording did. */
  private decide(replayed: Replayed, requestId: string, question: JsonObject): void {
    const isAllowed = this.requests.isAllowed(question);
    if (isAllowed === undefined) return;
    const answered = replayed.turn.answer?.(requestId, isAllowed ? { behavior: "allow" } : { behavior: "deny", message: "" });
    if (answered !== undefined) this.follow(replayed, answered);
  }

  private follow(replayed: Replayed, step: WireStep, ending = NOTHING_KNOWN): void {
    replayed.asked = askedBy(step.send) ?? replayed.asked;
    replayed.run.add(step);
    if (step.turnEnd === undefined) return;
    replayed.run.endTurn(step.turnEnd, ending);
    replayed.turn.leave?.();
  }

  /**
   * Begins the next turn of a session that has no open one: its updates come before the answer to its prompt. Updates that come before the
   * answer to an earlier request for the session, such as one that loads it or changes its mode, belong to no turn.
   */
  private beginNext(sessionId: string): void {
    const prompts = this.requests.prompts(sessionId);
    const isOpen = prompts.some((prompt) => this.begun.has(prompt) && this.begun.get(prompt)?.run.events === undefined);
    const next = isOpen ? undefined : prompts.find((prompt) => !this.begun.has(prompt));
    if (next !== undefined && this.requests.before(next).every((request) => this.answered.has(request))) this.turnOf(next);
  }

  private turnOf(prompt: AcpRequest): Replayed {
    const known = this.begun.get(prompt);
    if (known !== undefined) return known;
    const sessionId = stringOf(prompt.params["sessionId"]) ?? "";
    const replayed = this.begin(prompt.place, prompt, sessionId);
    this.begun.set(prompt, replayed);
    if (replayed.asked !== undefined && replayed.asked.method !== "session/prompt")
      this.answer(replayed.asked, { result: { sessionId } });
    return replayed;
  }

  private begin(place: number, prompt?: AcpRequest, sessionId = ""): Replayed {
    const isContinued = this.requests.prompts(sessionId).some((earlier) => this.begun.has(earlier));
    const session = isContinued ? { resume: sessionId } : ({ keep: true } as const);
    const request = { prompt: prompt === undefined ? "" : promptOf(prompt), mode: this.mode, session };
    const turn = this.connection.start(this.turns.length, request, {});
    const replayed: Replayed = { place, turn, run: new ReplayedRun(this.provider, this.turns.length), asked: undefined };
    this.turns.push(replayed);
    this.follow(replayed, turn.begin());
    return replayed;
  }
}

/** The request among what a wire sends, if there is one. */
function askedBy(sends: readonly Send[] = []): Asked | undefined {
  for (const send of sends) {
    const message = "text" in send ? objectOf(parseJson(send.text)) : undefined;
    const method = stringOf(message?.["method"]);
    if (method !== undefined && message?.["id"] !== undefined) return { id: message["id"], method };
  }
  return undefined;
}

/** A request of a recorded exchange; each `session/prompt` is a turn. */
type AcpRequest = { readonly place: number; readonly id: string; readonly method: string; readonly params: JsonObject };

/** What was sent to an agent: its answers name the requests only by their numbers. */
class AcpRequests {
  private readonly requests: readonly AcpRequest[];
  /** The options that the host chose, by the number of the question. */
  private readonly choices = new Map<string, string>();

  constructor(stdin: string) {
    const sent = stdin.split("\n").map((line) => objectOf(parseJson(line) ?? null) ?? {});
    this.requests = sent.flatMap((message, place) => {
      const method = stringOf(message["method"]);
      const params = objectOf(message["params"]) ?? {};
      return method === undefined || message["id"] === undefined ? [] : [{ place, id: keyOf(message["id"]), method, params }];
    });
    for (const { id, result } of sent) {
      const optionId = stringOf(objectOf(objectOf(result)?.["outcome"])?.["optionId"]);
      if (id !== undefined && result !== undefined) this.choices.set(keyOf(id), optionId ?? "");
    }
  }

  /** The request that an answer of the agent belongs to. */
  answeredBy(answer: JsonObject): AcpRequest | undefined {
    const id = keyOf(answer["id"] ?? null);
    return this.requests.find((request) => request.id === id);
  }

  /** The prompts, or those of one session. */
  prompts(sessionId?: string): readonly AcpRequest[] {
    return this.requests.filter(
      ({ method, params }) => method === "session/prompt" && (sessionId === undefined || params["sessionId"] === sessionId),
    );
  }

  /** The requests before a prompt that concern its session and are no prompts. */
  before({ place, params }: AcpRequest): readonly AcpRequest[] {
    return this.requests.filter(
      (request) =>
        request.place < place && request.method !== "session/prompt" && request.params["sessionId"] === params["sessionId"],
    );
  }

  /** How the host answered a question of the agent: true if it allowed the call, undefined if it did not answer. */
  isAllowed(question: JsonObject): boolean | undefined {
    const choice = this.choices.get(keyOf(question["id"] ?? null));
    if (choice === undefined) return undefined;
    const options = listOf(objectOf(question["params"])?.["options"]).map((option) => objectOf(option) ?? {});
    const kind = stringOf(options.find(({ optionId }) => optionId === choice)?.["kind"]);
    return kind?.startsWith("allow") === true;
  }
}

/** The text of a prompt. */
function promptOf({ params }: AcpRequest): string {
  return listOf(params["prompt"])
    .map((part) => stringOf(objectOf(part)?.["text"]) ?? "")
    .join("");
}

function keyOf(id: JsonValue): string {
  return JSON.stringify(id);
}
