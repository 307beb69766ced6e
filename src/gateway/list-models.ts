import { findTargets } from "../doors/find-targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { GatewayHost } from "./answer-request.ts";
import { isAnthropic } from "./protocols.ts";

/** A name that requests may have as their model. When a model was made is unknown; both vendors' clients want a time. */
type ListedModel = { readonly id: string; readonly owner: string };

const PATH = "/v1/models";
/** The owner of the names that the user made. */
const OWN = "coxswain";

/** The names of models that can be asked: the user's own names, then the installed CLIs and their known models. */
function listModels({ client, aliases = {} }: GatewayHost): readonly ListedModel[] {
  const installed = client.providers.filter(({ id }) => client.locate(id) !== undefined);
  return [
    ...Object.keys(aliases).map((id) => ({ id, owner: OWN })),
    ...installed.flatMap(({ id, models }) => [
      { id, owner: id },
      ...models.map((model) => ({ id: `${id}/${model}`, owner: id })),
    ]),
  ];
}

/** The response with all models, in the form of the client's vendor. */
export function answerModels(request: Request, host: GatewayHost): Response {
  const models = listModels(host);
  if (!isAnthropic(request, PATH)) return Response.json({ object: "list", data: models.map(toOpenAi) });
  const [first, last] = [models[0]?.id ?? null, models.at(-1)?.id ?? null];
  return Response.json({ data: models.map(toAnthropic), has_more: false, first_id: first, last_id: last });
}

/** The response with one model: any name that a request may have, also one that is not in the list. */
export function answerModel(request: Request, id: string, { client, aliases = {} }: GatewayHost): Response | Failure {
  const targets = findTargets(id, { providers: client.providers, aliases });
  if ("category" in targets) return targets;
  const owner = Object.hasOwn(aliases, id) ? OWN : targets[0].provider;
  return Response.json(isAnthropic(request, PATH) ? toAnthropic({ id }) : toOpenAi({ id, owner }));
}

function toOpenAi({ id, owner }: ListedModel): JsonObject {
  return { id, object: "model", created: 0, owned_by: owner };
}

function toAnthropic({ id }: Pick<ListedModel, "id">): JsonObject {
  return { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" };
}
