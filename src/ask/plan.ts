import { needsOf, residentLaunchOf, withoutKept } from "../attempt/attempt.ts";
import { redactPlan } from "../failures/redact.ts";
import { secretsOf } from "../failures/secrets.ts";
import { refuseWay, withPlannedBridge } from "../host-tools/native-tools.ts";
import { findInstalled } from "../launch/find-cli.ts";
import { type Prepared, prepare, spawnObstacle } from "../launch/prepare.ts";
import { requireLate } from "../process/child/find-program.ts";
import { toWayRequest } from "../prompts/to-prompt.ts";
import { validateConversation } from "../request/settle.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import { type Ajv, findProblemWith } from "../schemas/compile-schema.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { PlannedProcess } from "../spec/provider/cli-data.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import { toolWayOf } from "./ask.ts";

/** The launch plan of a run's first attempt without secrets, or the failure that would prevent the launch; starts nothing. */
export function planFirstAttempt(
  known: RunHost,
  resolved: ResolvedTarget,
  given: RunRequest,
  context: RunContext,
): PlannedProcess | Failure {
  const invalid = validateConversation(given);
  if (invalid !== undefined) return invalid;
  const unusable = schemaProblem(given);
  if (unusable !== undefined) return createFailure("schema-unreadable", unusable);
  const { provider } = findInstalled(known, resolved.provider);
  const way = toolWayOf(known, provider, resolved.target, given, context.callTool);
  const refused = refuseWay(given, way);
  if (refused !== undefined) return refused;
  const asked = toWayRequest(given, provider, way);
  const isBridged = "tools" in way && way.rules.bridgeName !== undefined;
  const host = withoutKept(known);
  const prepared = prepare(host, resolved, isBridged ? withPlannedBridge(asked) : asked, needsOf(host, context));
  if ("code" in prepared) return prepared;
  const plan = planProcess(host, prepared);
  if (!("command" in plan)) return plan;
  const inherited = secretsOf(provider, prepared.request, prepared.env);
  return redactPlan(plan, provider, () => [...inherited(), ...prepared.secrets]);
}

/** The process that takes a prepared request, as an attempt chooses it: a warm one, a new one that may stay, or one for this turn. */
function planProcess(host: RunHost, prepared: Prepared): PlannedProcess | Failure {
  const { resident, request } = prepared;
  const pool = resident?.mayStay === true ? host.keeper?.processes : undefined;
  const warm = resident !== undefined && pool?.has(residentLaunchOf(host, prepared, resident), request) === true;
  if (resident !== undefined && (warm || resident.isNeeded)) return { ...resident.plan(), transport: "resident", warm };
  return spawnObstacle(prepared)?.failure ?? { ...prepared.planSpawn(), transport: "spawn", warm: false };
}

/** A plan cannot wait for the module with the compiler of schemas, as a run does. */
function schemaProblem(request: RunRequest): string | undefined {
  const { tools = [], outputSchema } = request;
  if (outputSchema === undefined && tools.every(({ parameters }) => parameters === undefined)) return undefined;
  const ajv = loadAjv();
  return ajv && findProblemWith(ajv, request);
}

/** Undefined in a bundle that has no packages beside it (docs/bundling.md). */
function loadAjv(): Ajv | undefined {
  try {
    return (requireLate("ajv/dist/2020.js") as { readonly Ajv2020: Ajv }).Ajv2020;
  } catch {
    return undefined;
  }
}
