import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { Notice } from "../spec/wire/events.ts";
import { scanProject } from "./scan-project.ts";

const HOW_TO_TRUST = "If you trust the project, set trustProject to true (cox: --trust-project).";

/** The failure for an agent whose CLI cannot be kept from starting what an untrusted project names. */
export function checkProject(provider: Provider, request: PromptRequest): Failure | undefined {
  if (isTrusted(request)) return undefined;
  const unavoidable = (provider.projectStarts ?? []).filter((start) => start.unavoidable === true);
  const found = scanProject(unavoidable, request);
  if (found.length === 0) return undefined;
  const message = `${provider.label} cannot be kept from starting what this project names: ${found.join("; ")}.`;
  return createFailure("option-unsupported", message, { hint: HOW_TO_TRUST });
}

/** The warning about what an agent does not start, because the project is not trusted. */
export function warnOfProject({ label, projectStarts = [] }: Provider, request: PromptRequest): Notice | undefined {
  if (isTrusted(request)) return undefined;
  const found = scanProject(projectStarts, request);
  if (found.length === 0) return undefined;
  const message = `${label} does not use what this project would start: ${found.join("; ")}. ${HOW_TO_TRUST}`;
  return { code: "project-not-trusted", message, setting: "trustProject" };
}

/** A completion reads no project. */
function isTrusted({ mode, trustProject }: PromptRequest): boolean {
  return mode !== "agent" || trustProject === true;
}
