import { failureSentences } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Protocol } from "./protocol.ts";

/** The protocols by the path of their requests. */
export type Protocols = Readonly<Record<string, Protocol>>;

/** True for a request of an Anthropic client: by its path, or by the header that all of them send. */
export function isAnthropic({ headers }: Request, path: string): boolean {
  return path.startsWith("/v1/messages") || (path.startsWith("/v1/models") && headers.has("anthropic-version"));
}

/** The form of errors that the client of a request understands. */
export function shapeOf(request: Request, path: string, protocols: Protocols): Pick<Protocol, "error"> {
  const vendor = isAnthropic(request, path) ? "/v1/messages" : "/v1/chat/completions";
  return protocols[path] ?? protocols[vendor] ?? PLAIN;
}

/** The form of a gateway without the protocol of a vendor. */
const PLAIN: Pick<Protocol, "error"> = {
  error: (failure: Failure) => ({
    status: failure.replyStatus,
    body: { error: { type: failure.code, message: failureSentences(failure) } },
  }),
};
