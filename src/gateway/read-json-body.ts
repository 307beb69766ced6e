import type { Unasked } from "../doors/retry-after.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import { DEEPEST_JSON, isJsonObject, isTooDeep, type JsonObject, type JsonValue, parseJson } from "../spec/json.ts";
import type { RequestLimits } from "./gateway-options.ts";
import { refusal } from "./refusal.ts";

type Bounds = Required<Pick<RequestLimits, "bodyBytes" | "bodyMs">>;

type ReadBody = { readonly body: JsonObject } | { readonly failure: Failure };

/** Reads the JSON object of a request; a failure if it is none, is too large, or does not arrive in time. Never rejects. */
export async function readJsonBody(request: Request, bounds: Bounds, held: HeldBody): Promise<ReadBody> {
  const wrongType = checkType(request);
  if (wrongType !== undefined) return { failure: wrongType };
  const bytes = await readInTime(request, bounds, held);
  if ("category" in bytes) return { failure: bytes };
  const text = decode(bytes);
  if (text === undefined) return { failure: refusal(400, "The body is not valid UTF-8.", "Encode the request as UTF-8.") };
  const body = parseJson(text);
  if (isJsonObject(body)) return { body };
  return { failure: refusal(400, whyNoObject(text, body), "Send the request as one JSON object.") };
}

/** The message does not quote the body, so that no prompt gets into the logs of a client. */
function whyNoObject(text: string, body: JsonValue | undefined): string {
  if (body !== undefined) return "The body is JSON, but not an object.";
  if (isTooDeep(text)) return `The body has more than ${DEEPEST_JSON} levels of JSON.`;
  return text.trim() === "" ? "The body is empty." : "The body is not valid JSON.";
}

function checkType({ headers }: Request): Failure | undefined {
  const isJson = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.test(headers.get("content-type") ?? "");
  if (!isJson) return refusal(415, "The content type is not application/json.", "Send JSON as application/json, in UTF-8.");
  if (headers.has("content-encoding")) return refusal(415, "The body is compressed.", "Send the body without Content-Encoding.");
  return undefined;
}

async function readInTime(request: Request, { bodyBytes, bodyMs }: Bounds, held: HeldBody): Promise<Uint8Array | Failure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Failure>((resolve) => {
    const refuse = (): void => resolve(refusal(408, `The body took more than ${toSeconds(bodyMs)}.`, "Send the request faster."));
    timer = setTimeout(refuse, bodyMs);
  });
  const broken = (): Failure => refusal(400, "The connection broke before the end of the body.", "Send the request again.");
  try {
    return await Promise.race([readBytes(request, bodyBytes, held).catch(broken), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readBytes(request: Request, mostBytes: number, held: HeldBody): Promise<Uint8Array | Failure> {
  const tooLarge = refusal(413, `The body has more than ${mostBytes} bytes.`, "Shorten the request, or start with --max-body.");
  const stated = request.headers.get("content-length");
  if (Number(stated) > mostBytes) return tooLarge;
  // The server has checked that the body is as long as stated; reading it whole is faster than by chunks.
  if (stated !== null) return held.take(Number(stated)) ?? new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return tooLarge;
    const refused = held.take(chunk.byteLength);
    if (refused !== undefined) return refused;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes that the body of one request holds until its response has ended. */
export type HeldBody = {
  readonly bytes: number;
  /** Counts further bytes; a failure if all bodies together would have too many. */
  take(bytes: number): Unasked | undefined;
  release(): void;
};

/** How soon a refused request may come again: another one may end at any time. */
const RETRY_MS = 1000;

export class BodyBytes {
  private readonly most: number;
  private held = 0;

  constructor(most: number) {
    this.most = most;
  }

  open(): HeldBody {
    let own = 0;
    return {
      get bytes() {
        return own;
      },
      take: (bytes) => {
        if (this.held + bytes > this.most) return this.refusal();
        own += bytes;
        this.held += bytes;
        return undefined;
      },
      release: () => {
        this.held -= own;
        own = 0;
      },
    };
  }

  private refusal(): Unasked {
    const message = `The requests in progress have too many bytes: the limit of all their bodies is ${this.most}.`;
    const hint = "Retry in a moment, or start with --max-bodies.";
    return { ...createFailure("overloaded", message, { hint, retryAfterMs: RETRY_MS }), isUnasked: true };
  }
}
