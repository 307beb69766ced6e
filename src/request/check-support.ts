import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { type Capabilities, capabilitiesOf, type RequestOption } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { McpServers, PromptRequest, Target } from "../spec/request.ts";
import type { Notice } from "../spec/wire/events.ts";

export function checkSupport(provider: Provider, target: Target, request: PromptRequest): Failure | undefined {
  const [unsupported] = unsupportedOptions(provider, request, target);
  if (unsupported !== undefined) return refuse(provider, OPTIONS[unsupported].words);
  const capabilities = capabilitiesOf(provider);
  if (request.system !== undefined && capabilities.systemPrompt === "none") return refuse(provider, SYSTEM_PROMPT);
  if (request.session !== undefined && !capabilities.sessions) return refuse(provider, "sessions");
  if (target.transport === "resident" && provider.transports.resident === undefined)
    return refuse(provider, "a resident process");
  const lacking = lackingCapability(capabilities, target);
  if (lacking !== undefined)
    return createFailure("option-unsupported", `${provider.label} lacks a required capability: ${lacking}.`);
  if (target.model?.startsWith("-") !== true) return undefined;
  return createFailure("option-unsupported", `"${target.model}" is not a model name: the CLI would parse it as an option.`);
}

/** Removes the unsupported settings that only tune the answer, and returns a warning for each. */
export function withoutIgnored(provider: Provider, request: PromptRequest): Settled {
  if (request.strict === true) return { request, warnings: [] };
  const ignored = unsupportedOptions(provider, request).flatMap((option) => {
    const { words, setting } = OPTIONS[option];
    return setting === undefined ? [] : [{ words, setting }];
  });
  if (ignored.length === 0) return { request, warnings: [] };
  const rest = Object.entries(request).filter(([name]) => !ignored.some(({ setting }) => setting === name));
  return {
    request: { ...Object.fromEntries(rest), prompt: request.prompt },
    warnings: ignored.map(({ words, setting }) => ({
      code: "setting-ignored",
      message: `${provider.label} does not support ${words}; ${setting} was left out.`,
      setting,
    })),
  };
}

type Settled = { readonly request: PromptRequest; readonly warnings: readonly Notice[] };

const SYSTEM_PROMPT = "a system prompt";

/** True for the failure of a request with a system prompt whose CLI has none. */
export function isAboutSystemPrompt({ code, message }: Failure): boolean {
  return code === "option-unsupported" && message.endsWith(` does not support ${SYSTEM_PROMPT}.`);
}

function refuse({ label }: Provider, what: string): Failure {
  return createFailure("option-unsupported", `${label} does not support ${what}.`);
}

function lackingCapability(capabilities: Capabilities, { requires = {} }: Target): string | undefined {
  const names = Object.keys(requires) as (keyof Capabilities)[];
  const name = names.find((required) => {
    const [wanted, there] = [requires[required], capabilities[required]];
    if (Array.isArray(wanted)) return !wanted.every((part) => Array.isArray(there) && there.includes(part));
    return wanted !== undefined && wanted !== there;
  });
  return name === undefined ? undefined : `${name} ${JSON.stringify(requires[name])}`;
}

type OptionFacts = {
  /** The text after "does not support" in the failure. */
  readonly words: string;
  readonly isUsed: (request: PromptRequest, target: Target | undefined) => boolean;
  /** The field of a setting that only tunes the answer; if the CLI does not support it, it is removed with a warning. */
  readonly setting?: keyof PromptRequest;
};

const OPTIONS: Readonly<Record<RequestOption, OptionFacts>> = {
  "system-append": { words: "appending to its system prompt", isUsed: ({ systemMode }) => systemMode === "append" },
  "add-dirs": { words: "additional directories", isUsed: ({ addDirs = [] }) => addDirs.length > 0 },
  "tool-patterns": {
    words: "lists of tools and patterns; choose a permission mode instead",
    isUsed: ({ permissions: { tools, allow = [], deny = [] } = {} }) => tools !== undefined || [...allow, ...deny].length > 0,
  },
  "denial-reports": {
    words: "reports of denied tool calls",
    isUsed: ({ onPermissionDenied }) => onPermissionDenied === "error",
  },
  "background-off": {
    words: "switching off background tasks",
    // In completion mode validation refuses the field for every CLI.
    isUsed: ({ mode, backgroundTasks }) => mode === "agent" && backgroundTasks === "off",
    setting: "backgroundTasks",
  },
  "session-id": { words: "a chosen session id", isUsed: ({ session = {} }) => "id" in session },
  "session-resume": { words: "resuming a session", isUsed: ({ session = {} }) => "resume" in session },
  "session-fork": { words: "branching a session", isUsed: ({ session = {} }) => "fork" in session },
  "mcp-stdio": {
    words: "MCP servers",
    isUsed: ({ mcpServers }) =>
      mcpServers !== undefined && (hasServer(mcpServers, "stdio") || Object.keys(mcpServers).length === 0),
  },
  "mcp-http": {
    words: "MCP servers over HTTP",
    // A CLI may take the bridge of the host tools and no servers of the caller.
    isUsed: ({ mcpServers = {}, hostServer }) => {
      const others = Object.entries(mcpServers).filter(([name]) => name !== hostServer);
      return hasServer(Object.fromEntries(others), "http");
    },
  },
  "mcp-sse": { words: "MCP servers over SSE", isUsed: ({ mcpServers = {} }) => hasServer(mcpServers, "sse") },
  "mcp-reports": {
    words: "reports of MCP servers that are not available, so that none can be required",
    isUsed: ({ mcpServers = {} }) => Object.values(mcpServers).some(({ required }) => required === true),
  },
  "output-schema": { words: "an output schema", isUsed: ({ outputSchema }) => outputSchema !== undefined },
  "max-turns": { words: "a turn limit", isUsed: ({ maxTurns }) => maxTurns !== undefined, setting: "maxTurns" },
  "max-output-tokens": {
    words: "an output limit",
    isUsed: ({ maxOutputTokens }) => maxOutputTokens !== undefined,
    setting: "maxOutputTokens",
  },
  effort: { words: "an effort setting", isUsed: ({ effort }) => effort !== undefined, setting: "effort" },
  images: { words: "images", isUsed: ({ images = [] }) => images.length > 0 },
  profile: { words: "profiles", isUsed: (_, target) => target?.profile !== undefined },
};

function hasServer(servers: McpServers, transport: "stdio" | "http" | "sse"): boolean {
  return Object.values(servers).some((server) => ("url" in server ? server.type : "stdio") === transport);
}

function unsupportedOptions({ options }: Provider, request: PromptRequest, target?: Target): readonly RequestOption[] {
  const all = Object.keys(OPTIONS) as RequestOption[];
  return all.filter((option) => !options.includes(option) && OPTIONS[option].isUsed(request, target));
}
