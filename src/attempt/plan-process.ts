import type { RunHost } from "../run/run-host.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { LaunchPlan, PlannedProcess } from "../spec/provider/launch-plan.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { resumedBy } from "../spec/resumed-by.ts";
import type { Notice } from "../spec/wire/events.ts";
import { planResident, type ResidentNeed } from "./plan-resident.ts";

/** The process that takes a request, as an attempt chooses it: a warm one, a new one that may stay, or one for this turn. */
export function planProcess(host: RunHost, need: ResidentNeed, spawned: LaunchPlan): PlannedProcess | Failure {
  const resident = planResident(host, need);
  const warm = resident?.pool?.has(resident.launch, need.request) === true;
  if (resident !== undefined && (warm || resident.isNeeded)) return { ...resident.planProcess(), transport: "resident", warm };
  const obstacle = spawnObstacle(need.cli.provider, need.target, need.request);
  return obstacle?.failure ?? { ...spawned, transport: "spawn", warm: false };
}

/** Why a process for one turn cannot take a request that no resident process takes, or the notice that it does so instead of one. */
export function spawnObstacle(
  { transports: { resident, spawn }, label }: Provider,
  target: Target,
  request: PromptRequest,
): { readonly failure?: Failure; readonly notice?: Notice } | undefined {
  const isLost = (request.nativeTools ?? []).length > 0 && spawn.nativeTools === undefined;
  if (target.transport !== "resident" && !isLost) return undefined;
  if (resumedBy(request) !== undefined && resident?.resumes === false && !isLost) return { notice: SPAWNED_INSTEAD };
  return { failure: createFailure("option-unsupported", `${label} cannot take this request by a resident process.`) };
}

const SPAWNED_INSTEAD: Notice = {
  code: "spawned-instead",
  message: "A resident process continues only the sessions that it has begun. A process of its own continues this session.",
};
