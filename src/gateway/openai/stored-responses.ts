import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";
import { openAiFields } from "./request-fields.ts";

/** What bounds the stored answers: those that were not used for the longest time are forgotten first. */
export type StoreLimits = { readonly responses: number; readonly bytes: number; readonly ageMs: number };

const LIMITS: StoreLimits = { responses: 1000, bytes: 64 * 1024 * 1024, ageMs: 60 * 60 * 1000 };

type Stored = {
  readonly id: string;
  readonly previous: string | undefined;
  readonly input: readonly JsonValue[];
  readonly output: readonly JsonObject[];
  readonly bytes: number;
  readonly usedAt: number;
};

/**
 * The last answers of a gateway in memory, for clients that refer to an answer or an item of one by its id instead of sending it again.
 * A gateway has one token, so that no client can refer to the answers of another.
 */
export class StoredResponses {
  private readonly limits: StoreLimits;
  private readonly responses = new Map<string, Stored>();
  private readonly answers = new Map<string, string>();
  private bytes = 0;

  constructor(limits: Partial<StoreLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** The body with the items that it refers to; throws if one of them is not known. */
  withItems(body: JsonObject): JsonObject {
    this.forgetOld();
    const { input } = body;
    return Array.isArray(input)
      ? { ...body, input: input.flatMap((item: JsonValue, index) => this.resolveItem(item, index)) }
      : body;
  }

  /** The body with the conversation that it continues; throws if that is not known. */
  withPrevious(body: JsonObject): JsonObject {
    const { previous_response_id: previous, input } = body;
    return typeof previous === "string" ? { ...body, input: [...this.conversationOf(previous), ...asItems(input)] } : body;
  }

  put({ previous_response_id: previous, input }: JsonObject, { id, output }: JsonObject): void {
    if (typeof id !== "string" || !Array.isArray(output)) return;
    const made: readonly JsonObject[] = output.filter(isJsonObject);
    const asked = asItems(input);
    const bytes = JSON.stringify([asked, made]).length * 2;
    if (bytes > this.limits.bytes) return;
    const before = typeof previous === "string" ? previous : undefined;
    this.responses.set(id, { id, previous: before, input: asked, output: made, bytes, usedAt: performance.now() });
    for (const item of made) if (typeof item["id"] === "string") this.answers.set(item["id"], id);
    this.bytes += bytes;
    this.forgetOld();
  }

  private resolveItem(item: JsonValue, index: number): readonly JsonValue[] {
    if (!isJsonObject(item) || item["type"] !== "item_reference") return [item];
    const id = String(item["id"]);
    const found = this.use(this.answers.get(id))?.output.find((made) => made["id"] === id);
    // The reasoning of earlier answers is not sent to a CLI.
    if (found === undefined && !id.startsWith("rs_"))
      throw unknown(`input[${index}].id`, `Item with id '${id.slice(0, 100)}' not found.`);
    return found === undefined ? [] : [found];
  }

  private conversationOf(id: string): readonly JsonValue[] {
    const turns: Stored[] = [];
    for (let next: string | undefined = id; next !== undefined; ) {
      const stored = this.use(next);
      if (stored === undefined)
        throw unknown("previous_response_id", `Previous response with id '${next.slice(0, 100)}' not found.`);
      turns.unshift(stored);
      next = stored.previous;
    }
    return turns.flatMap(({ input, output }) => [...input, ...output]);
  }

  /** A conversation that goes on needs its first answers too. */
  private use(id: string | undefined): Stored | undefined {
    const stored = id === undefined ? undefined : this.responses.get(id);
    if (stored === undefined) return undefined;
    this.responses.delete(stored.id);
    this.responses.set(stored.id, { ...stored, usedAt: performance.now() });
    return stored;
  }

  private forgetOld(): void {
    for (const { id, output, bytes, usedAt } of this.responses.values()) {
      const isOld = performance.now() - usedAt > this.limits.ageMs;
      if (!isOld && this.bytes <= this.limits.bytes && this.responses.size <= this.limits.responses) return;
      this.responses.delete(id);
      for (const item of output) this.answers.delete(String(item["id"]));
      this.bytes -= bytes;
    }
  }
}

function asItems(input: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(input)) return input;
  return input === undefined ? [] : [{ role: "user", content: input }];
}

function unknown(field: string, message: string): Error {
  const hint =
    "The gateway forgets answers that were not used for an hour, and all when it ends. Send the whole conversation in 'input', or use store: false.";
  return openAiFields({}).unsupported(field, message, hint);
}
