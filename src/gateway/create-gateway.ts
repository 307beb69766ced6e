import { checkNames } from "../spec/text/names.ts";
import { anthropicMessages } from "./anthropic/protocol.ts";
import { createApp, type GatewayApp } from "./create-app.ts";
import { GATEWAY_FIELDS, type GatewayOptions, LIMIT_FIELDS } from "./gateway-options.ts";
import { chatCompletions } from "./openai/chat.ts";
import { createResponses } from "./openai/responses.ts";
import type { Protocols } from "./protocols.ts";

/** The protocols of one gateway by the path of their requests. */
function createProtocols(): Protocols {
  return { "/v1/chat/completions": chatCompletions, "/v1/responses": createResponses(), "/v1/messages": anthropicMessages };
}

/**
 * An HTTP application that answers requests of OpenAI and Anthropic clients by the CLIs of a client: `fetch` of it works under any server
 * that takes a fetch handler. It checks the token, the Host and the Origin of each request. Throws a TypeError if an option
 * is unknown, or the token neither false nor a text without spaces.
 */
export function createGateway(options: GatewayOptions): GatewayApp {
  const { token } = options;
  checkNames("createGateway", options, GATEWAY_FIELDS);
  checkNames("createGateway.limits", options.limits, LIMIT_FIELDS);
  // A request without a token has the empty one, so an empty variable of the environment must not become the token.
  if (token !== false && (typeof token !== "string" || !/^\S+$/.test(token)))
    throw new TypeError("The token of a gateway must be false, or a text that is not empty and has no spaces.");
  return createApp(options, createProtocols());
}
