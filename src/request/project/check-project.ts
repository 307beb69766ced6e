import { realpathSync } from "node:fs";
import { createFailure } from "../../spec/failure/create-failure.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { Surroundings } from "../../spec/provider/connection.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Notice } from "../../spec/wire/events.ts";
import { gitGuardOf } from "./git-environment.ts";
import { scanProject } from "./scan-project.ts";

const HOW_TO_TRUST = "If you trust the project, set trustProject to true (cox: --trust-project).";

/** The failure for an agent whose CLI cannot be kept from starting what an untrusted project names. */
export function checkProject(provider: Provider, request: PromptRequest, env: Surroundings): Failure | undefined {
  if (isTrusted(request)) return undefined;
  const problem = gitGuardOf(request, env)?.problem;
  if (problem !== undefined) {
    const message = `The programs that git's configuration of this project names cannot be kept from starting: ${problem}.`;
    return createFailure("option-unsupported", message, { hint: HOW_TO_TRUST });
  }
  const unavoidable = (provider.projectStarts ?? []).filter((start) => start.unavoidable === true);
  const found = scanProject(unavoidable, request);
  if (found.length === 0) return undefined;
  const message = `${provider.label} cannot be kept from starting what this project names: ${found.join("; ")}.`;
  return createFailure("option-unsupported", message, { hint: HOW_TO_TRUST });
}

/** The warning about what an agent does not start, because the project is not trusted. */
export function warnOfProject(provider: Provider, request: PromptRequest, env: Surroundings): Notice | undefined {
  const found = projectPrograms(provider, request, env);
  if (found.length === 0) return undefined;
  const { label } = provider;
  const message = `${label} does not use what this project would start: ${found.join("; ")}. ${HOW_TO_TRUST}`;
  return { code: "project-not-trusted", message, setting: "trustProject" };
}

/** What an agent would start in its project if the project was trusted, one line for each place. */
export function projectPrograms({ projectStarts = [] }: Provider, request: PromptRequest, env: Surroundings): readonly string[] {
  if (isTrusted(request)) return [];
  return [...scanProject(projectStarts, request), ...(gitGuardOf(request, env)?.lines ?? [])];
}

/** A completion reads no project. */
function isTrusted({ mode, trustProject }: PromptRequest): boolean {
  return mode !== "agent" || trustProject === true;
}

/**
 * The request of an agent with the real path of its working directory. A process works there anyway, and a project is judged by the folders above it, which
 * the path of a link does not name.
 */
export function inRealDirectory(request: PromptRequest): PromptRequest {
  const { mode, cwd } = request;
  if (mode !== "agent" || typeof cwd !== "string") return request;
  try {
    const real = realpathSync(cwd);
    return real === cwd ? request : { ...request, cwd: real };
  } catch {
    // Validation says what is wrong with it.
    return request;
  }
}
