import { anthropicMessages } from "./anthropic/protocol.ts";
import { createApp, type GatewayApp } from "./create-app.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { chatCompletions } from "./openai/chat.ts";
import { responses } from "./openai/responses.ts";
import type { Protocols } from "./protocols.ts";

/** The protocols by the path of their requests. */
const PROTOCOLS: Protocols = {
  "/v1/chat/completions": chatCompletions,
  "/v1/responses": responses,
  "/v1/messages": anthropicMessages,
};

/**
 * An HTTP application that answers requests of OpenAI and Anthropic clients by the CLIs of a client: `fetch` of it works under any server
 * that takes a fetch handler. It checks the token, the Host and the Origin of each request.
 */
export function createGateway(options: GatewayOptions): GatewayApp {
  return createApp(options, PROTOCOLS);
}
