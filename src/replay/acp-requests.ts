import { type JsonObject, type JsonValue, listOf, objectOf, parseJson, stringOf } from "../spec/json.ts";

/** A request of a recorded exchange; each `session/prompt` is a turn. */
export type AcpRequest = { readonly place: number; readonly id: string; readonly method: string; readonly params: JsonObject };

/** What was sent to an agent: its answers name the requests only by their numbers. */
export class AcpRequests {
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
export function promptOf({ params }: AcpRequest): string {
  return listOf(params["prompt"])
    .map((part) => stringOf(objectOf(part)?.["text"]) ?? "")
    .join("");
}

function keyOf(id: JsonValue): string {
  return JSON.stringify(id);
}
