import type { ChatCliFields } from "./model-fields.ts";

type CallRequest = ChatCliFields["request"];

/** The settings of a call as LangChain's callbacks get them: without their values, which may be secrets. */
class HiddenRequest {
  readonly #request: CallRequest;

  constructor(request: CallRequest) {
    this.#request = request;
  }

  open(): CallRequest {
    return this.#request;
  }

  toJSON(): string {
    return `[${Object.keys(this.#request ?? {}).join(", ")}]`;
  }
}

/** The options of a call whose `request` does not show its values; LangChain passes them to every callback. */
export function hideRequest<Options extends { request?: CallRequest }>(options: Options): Options {
  const { request } = options;
  if (request === undefined || request instanceof HiddenRequest) return options;
  // Only `openRequest` reads it.
  return { ...options, request: new HiddenRequest(request) as CallRequest };
}

/** The settings that `hideRequest` has hidden, or those given. */
export function openRequest(request: CallRequest): CallRequest {
  return request instanceof HiddenRequest ? request.open() : request;
}
