import type { Capabilities } from "../spec/capabilities.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider, RequestOption } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { RunWarning } from "../spec/result.ts";

/** The first thing a request asks for that the CLI cannot do. */
export function checkSupport(provider: Provider, target: Target, request: PromptRequest): Failure | undefined {
  const unsupported = usedOptions(target, request).find((option) => !provider.options.includes(option));
  if (unsupported !== undefined) return refuse(provider, OPTION_WORDS[unsupported]);
  if (request.system !== undefined && provider.capabilities.systemPrompt === "none") return refuse(provider, "a system prompt");
  if (request.session !== undefined && !provider.capabilities.sessions) return refuse(provider, "sessions");
  if (target.transport === "resident") return refuse(provider, "a resident process");
  const lacking = lackingCapability(provider, target);
  if (lacking !== undefined)
    return createFailure("option-unsupported", `${provider.label} lacks a required capability: ${lacking}.`);
  if (target.model?.startsWith("-") !== true) return undefined;
  return createFailure("option-unsupported", `"${target.model}" is not a model name: the CLI would parse it as an option.`);
}

/** The request without the settings that the CLI cannot honour and that only tune its answer, and a warning for each. */
export function withoutIgnored(provider: Provider, request: PromptRequest): Settled {
  const ignored = SETTINGS.filter(([field, option]) => request[field] !== undefined && !provider.options.includes(option));
  if (ignored.length === 0 || request.strict === true) return { request, warnings: [] };
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !ignored.some(([field]) => field === name)));
  return {
    request: { ...rest, prompt: request.prompt },
    warnings: ignored.map(([field, option]) => ({
      code: "setting-ignored",
      message: `${provider.label} does not support ${OPTION_WORDS[option]}; ${field} was left out.`,
    })),
  };
}

/** A request as its CLI can carry it out. */
export type Settled = { readonly request: PromptRequest; readonly warnings: readonly RunWarning[] };

const SETTINGS = [
  ["effort", "effort"],
  ["maxTurns", "max-turns"],
  ["maxOutputTokens", "max-output-tokens"],
] as const;

function refuse({ label }: Provider, what: string): Failure {
  return createFailure("option-unsupported", `${label} does not support ${what}.`);
}

function lackingCapability({ capabilities }: Provider, { requires = {} }: Target): string | undefined {
  const names = Object.keys(requires) as (keyof Capabilities)[];
  const name = names.find((required) => {
    const [wanted, there] = [requires[required], capabilities[required]];
    if (Array.isArray(wanted)) return !wanted.every((part) => Array.isArray(there) && there.includes(part));
    return wanted !== undefined && wanted !== there;
  });
  return name === undefined ? undefined : `${name} ${JSON.stringify(requires[name])}`;
}

const OPTION_WORDS: Readonly<Record<RequestOption, string>> = {
  "system-append": "appending to its system prompt",
  "add-dirs": "additional directories",
  "tool-patterns": "lists of tools and patterns; choose a permission mode instead",
  "denial-reports": "reports of denied tool calls",
  "session-id": "a chosen session id",
  "session-resume": "resuming a session",
  "session-fork": "branching a session",
  "mcp-servers": "MCP servers",
  "output-schema": "an output schema",
  "max-turns": "a turn limit",
  "max-output-tokens": "an output limit",
  effort: "an effort setting",
  images: "images",
  profile: "profiles",
};

function usedOptions(target: Target, request: PromptRequest): readonly RequestOption[] {
  const { session = {}, permissions = {} } = request;
  const used: Readonly<Record<RequestOption, boolean>> = {
    "system-append": request.systemMode === "append",
    "add-dirs": (request.addDirs ?? []).length > 0,
    "tool-patterns": permissions.tools !== undefined || [...(permissions.allow ?? []), ...(permissions.deny ?? [])].length > 0,
    "denial-reports": request.onPermissionDenied === "error",
    "session-id": "id" in session,
    "session-resume": "resume" in session,
    "session-fork": "fork" in session,
    "mcp-servers": request.mcpServers !== undefined,
    "output-schema": request.outputSchema !== undefined,
    "max-turns": request.maxTurns !== undefined,
    "max-output-tokens": request.maxOutputTokens !== undefined,
    effort: request.effort !== undefined,
    images: (request.images ?? []).length > 0,
    profile: target.profile !== undefined,
  };
  return (Object.keys(used) as RequestOption[]).filter((option) => used[option]);
}
