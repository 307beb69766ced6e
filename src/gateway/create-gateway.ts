import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import { checkNames } from "../spec/fields.ts";
import type { JsonObject } from "../spec/json.ts";
import { answerRequest, countRequest, findModel, type GatewayHost, toErrorResponse } from "./answer-request.ts";
import { anthropicMessages } from "./anthropic/protocol.ts";
import {
  type AgentSettings,
  checkAccess,
  checkToken,
  isAmbiguousPath,
  readAgentSettings,
  refuseUnknown,
} from "./check-access.ts";
import { DEFAULT_LIMITS, GATEWAY_FIELDS, type GatewayOptions, LIMIT_FIELDS } from "./gateway-options.ts";
import { chatCompletions } from "./openai/chat.ts";
import { createResponses } from "./openai/responses.ts";
import { isAnthropic, type Protocols, shapeOf } from "./protocol.ts";
import { BodyBytes, readJsonBody } from "./read-json-body.ts";
import { gatewayDraining, refusal } from "./refusal.ts";
import { RequestRecord } from "./request-record.ts";
import { RestingTargets } from "./resting-targets.ts";

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
  return createApp(options, {
    "/v1/chat/completions": chatCompletions,
    "/v1/responses": createResponses(),
    "/v1/messages": anthropicMessages,
  });
}

type Variables = { Variables: { record: RequestRecord } };

/** The application of a gateway; its `fetch` takes requests. */
export type GatewayApp = Hono<Variables>;

function createApp(options: GatewayOptions, protocols: Protocols): GatewayApp {
  const app: GatewayApp = new Hono();
  const refuse = ({ req, get }: Context<Variables>, failure: Failure): Response => {
    get("record").failed(failure.code);
    const headers = failure.replyStatus === 401 ? { "www-authenticate": "Bearer" } : undefined;
    return toErrorResponse(shapeOf(req.raw, req.path, protocols), failure, headers);
  };
  app.use(async (context, next) => {
    const { req } = context;
    const record = new RequestRecord(req.method, req.path, options.onRequest ?? (() => {}));
    context.set("record", record);
    const refused = checkRequest(req.raw, req.path, options);
    if (refused !== undefined) context.res = refuse(context, refused);
    else if (isPreflight(req.raw)) context.res = answerPreflight(req.raw);
    else await next();
    for (const [name, value] of Object.entries(crossOriginHeaders(req.raw, options.origins ?? [])))
      context.res.headers.set(name, value);
    setId(context.res.headers, isAnthropic(req.raw, req.path) ? "request-id" : "x-request-id");
    if (!record.isStream) record.end(context.res.status);
  });
  app.onError((error, context) => refuse(context, createFailure("unclassified", `The gateway failed: ${thrownMessage(error)}`)));
  app.notFound((context) => {
    const { failure, headers } = refuseUnknown(context.req.path, askingPaths(protocols));
    const response = refuse(context, failure);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  });
  addPaths(app, options, protocols, refuse);
  return app;
}

/** The clients of both vendors show the id of a response; a protocol may have set its own. */
function setId(headers: Headers, name: string): void {
  if (!headers.has(name)) headers.set(name, `req_${randomUUID().replaceAll("-", "")}`);
}

type Refuse = (context: Context<Variables>, failure: Failure) => Response;
type Answer = (body: JsonObject, agent: AgentSettings, context: Context<Variables>) => Response | Promise<Response>;

const COUNTING = "/count_tokens";

function addPaths(app: GatewayApp, options: GatewayOptions, protocols: Protocols, refuse: Refuse): void {
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/v1/models", ({ req }) => answerModels(req.raw, options));
  app.get("/v1/models/:id{.+}", (context) => {
    const answer = answerModel(context.req.raw, context.req.param("id"), options);
    return answer instanceof Response ? answer : refuse(context, answer);
  });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const bodies = new BodyBytes(Math.max(limits.bodyBytes, limits.bodiesBytes));
  const resting = new RestingTargets(options.client, options.env ?? process.env);
  for (const [path, protocol] of Object.entries(protocols)) {
    const answer: Answer = (body, agent, { req, get }) =>
      answerRequest(protocol, body, {
        host: options,
        resting,
        record: get("record"),
        leaving: req.raw.signal,
        ...(options.signal !== undefined && { closing: options.signal }),
        ...(options.draining !== undefined && { draining: options.draining }),
        settings: { maxWaitMs: limits.waitMs, ...agent },
        silenceMs: limits.silenceMs,
      });
    const count: Answer = (body, _, { get }) => countRequest(protocol, body, { host: options, record: get("record") });
    const read = (answering: Answer) => async (context: Context<Variables>) => {
      const agent = readAgentSettings(context.req.raw, options.agent);
      if ("category" in agent) return refuse(context, agent);
      const held = bodies.open();
      context.get("record").whenEnded(held.release);
      const found = await readJsonBody(context.req.raw, limits, held);
      context.get("record").read(held.bytes);
      if ("failure" in found) return refuse(context, found.failure);
      // The gateway may have begun to close while the body arrived.
      return options.draining?.aborted === true
        ? refuse(context, gatewayDraining())
        : await answering(found.body, agent, context);
    };
    app.post(path, read(answer));
    if (protocol.count !== undefined) app.post(`${path}${COUNTING}`, read(count));
  }
}

function askingPaths(protocols: Protocols): readonly string[] {
  return Object.entries(protocols).flatMap(([path, { count }]) => (count === undefined ? [path] : [path, `${path}${COUNTING}`]));
}

/** The refusal of a request that no handler may see; only the health of the gateway needs no token. */
function checkRequest(request: Request, path: string, options: GatewayOptions): Failure | undefined {
  if (isAmbiguousPath(path))
    return refusal(400, "The path is not in its plain form.", "Send the path without //, dots and escapes.");
  const refused = checkAccess(request, options);
  if (refused !== undefined || path === "/healthz" || isPreflight(request)) return refused;
  if (options.draining?.aborted === true) return gatewayDraining();
  return checkToken(request, options.token);
}

function crossOriginHeaders({ headers }: Request, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = headers.get("origin");
  if (origin === null || !origins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "*", vary: "origin" };
}

const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;

function answerPreflight({ headers }: Request): Response {
  const wanted = headers.get("access-control-request-headers") ?? "";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST",
      "access-control-max-age": "600",
      ...(HEADER_NAMES.test(wanted) && { "access-control-allow-headers": wanted }),
    },
  });
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** A name that requests may have as their model. When a model was made is unknown; both vendors' clients want a time. */
type ListedModel = { readonly id: string; readonly owner: string };

const PATH = "/v1/models";
const OWN = "coxswain";

/** The names of models that can be asked: the user's own names, then the installed CLIs and their known models. */
function listModels({ client }: GatewayHost): readonly ListedModel[] {
  const installed = client.providers.filter(({ id }) => client.locate(id) !== undefined);
  return [
    ...Object.keys(client.aliases).map((id) => ({ id, owner: OWN })),
    ...installed.flatMap(({ id, models }) => [
      { id, owner: id },
      ...models.map((model) => ({ id: `${id}/${model}`, owner: id })),
    ]),
  ];
}

function answerModels(request: Request, host: GatewayHost): Response {
  const models = listModels(host);
  if (!isAnthropic(request, PATH)) return Response.json({ object: "list", data: models.map(toOpenAi) });
  const [first, last] = [models[0]?.id ?? null, models.at(-1)?.id ?? null];
  return Response.json({ data: models.map(toAnthropic), has_more: false, first_id: first, last_id: last });
}

/** The response with one model: any name that a request may have, also one that is not in the list. */
function answerModel(request: Request, id: string, host: GatewayHost): Response | Failure {
  const targets = findModel(id, host);
  if ("category" in targets) return targets;
  const owner = Object.hasOwn(host.client.aliases, id) ? OWN : targets[0].provider;
  return Response.json(isAnthropic(request, PATH) ? toAnthropic({ id }) : toOpenAi({ id, owner }));
}

function toOpenAi({ id, owner }: ListedModel): JsonObject {
  return { id, object: "model", created: 0, owned_by: owner };
}

function toAnthropic({ id }: Pick<ListedModel, "id">): JsonObject {
  return { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" };
}
