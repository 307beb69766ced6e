import { Hono } from "hono";
import { createFailure } from "../spec/create-failure.ts";
import { isJsonObject, type JsonObject } from "../spec/json.ts";
import { parseJson } from "../spec/parse-json.ts";
import { answerRequest, countRequest, type GatewayHost, toErrorResponse } from "./answer-request.ts";
import { anthropicMessages } from "./anthropic/protocol.ts";
import type { Protocol } from "./protocol.ts";

/** The protocols by the path of their requests. */
const PROTOCOLS: Readonly<Record<string, Protocol>> = { "/v1/messages": anthropicMessages };

/** An HTTP application that answers requests of OpenAI and Anthropic clients by the CLIs of a client. */
export function createGateway(host: GatewayHost): Hono {
  const app = new Hono();
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  for (const [path, protocol] of Object.entries(PROTOCOLS)) {
    const read = async (request: Request, answer: (body: JsonObject) => Response | Promise<Response>): Promise<Response> => {
      const body = parseJson(await request.text());
      if (isJsonObject(body)) return await answer(body);
      return toErrorResponse(protocol, createFailure("bad-request", "The body is not a JSON object."));
    };
    app.post(path, ({ req: { raw } }) => read(raw, (body) => answerRequest(protocol, body, host, raw.signal)));
    if (protocol.count !== undefined)
      app.post(`${path}/count_tokens`, ({ req: { raw } }) => read(raw, (body) => countRequest(protocol, body)));
  }
  return app;
}
