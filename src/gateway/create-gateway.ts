import { Hono } from "hono";
import { createFailure } from "../spec/create-failure.ts";
import { isJsonObject } from "../spec/json.ts";
import { parseJson } from "../spec/parse-json.ts";
import { answerRequest, type GatewayHost, toErrorResponse } from "./answer-request.ts";
import { chatCompletions } from "./openai/chat.ts";
import { responses } from "./openai/responses.ts";
import type { Protocol } from "./protocol.ts";

/** The protocols by the path of their requests. */
const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  "/v1/chat/completions": chatCompletions,
  "/v1/responses": responses,
};

/** An HTTP application that answers requests of OpenAI and Anthropic clients by the CLIs of a client. */
export function createGateway(host: GatewayHost): Hono {
  const app = new Hono();
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  for (const [path, protocol] of Object.entries(PROTOCOLS)) {
    app.post(path, async ({ req }) => {
      const body = parseJson(await req.text());
      if (!isJsonObject(body)) return toErrorResponse(protocol, createFailure("bad-request", "The body is not a JSON object."));
      return await answerRequest(protocol, body, host, req.raw.signal);
    });
  }
  return app;
}
