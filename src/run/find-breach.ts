import { createFailure } from "../spec/create-failure.ts";
import type { EventDraft } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";

/** The run in which an event happens. */
export type BreachContext = {
  readonly provider: Provider;
  readonly request: PromptRequest;
  /** The name of a call that is open. */
  readonly toolName: (id: string) => string | undefined;
};

/** The failure of a CLI that does what it was asked not to do: it works in another session, or as an agent in completion mode. */
export function findBreach(event: EventDraft, context: BreachContext): Failure | undefined {
  if (event.type === "session-start") return wrongSession(event.sessionId, context) ?? offeredTools(event.tools ?? [], context);
  if (event.type !== "tool-end" || (event.isError && isRefused(event.output, context))) return undefined;
  const name = context.toolName(event.id);
  return name === undefined || !isUnasked(name, context) ? undefined : ownTools(`ran its own tool ${name}`, context);
}

/** A model may call a tool that it was not offered; the CLI then says that there is none, and nothing has run. */
function isRefused(output: unknown, { provider }: BreachContext): boolean {
  return typeof output === "string" && provider.refusedCall?.test(output) === true;
}

/** Some CLIs start a new session instead of saying that they do not know the one asked for (fixture multi-turn-resume-last). */
function wrongSession(sessionId: string, { provider, request }: BreachContext): Failure | undefined {
  const asked = request.session !== undefined && "resume" in request.session ? request.session.resume : sessionId;
  if (asked.toLowerCase() === sessionId.toLowerCase()) return undefined;
  return createFailure("session-unknown", `${provider.label} does not know the session ${asked} and started another one.`);
}

function offeredTools(tools: readonly string[], context: BreachContext): Failure | undefined {
  const unasked = tools.filter((name) => isUnasked(name, context));
  return unasked.length === 0 ? undefined : ownTools(`offers the model its own tools (${unasked.join(", ")})`, context);
}

/**
 * In completion mode a CLI whose tools can be switched off has the one by which it takes a structured answer, and those of the
 * request's MCP servers.
 */
function isUnasked(name: string, { provider, request }: BreachContext): boolean {
  if (request.mode === "agent" || provider.traits.ownTools !== "off") return false;
  if (request.outputSchema !== undefined && name === provider.objectTool) return false;
  const servers = Object.keys(request.mcpServers ?? {});
  return !servers.some((server) => isOfServer(name, server));
}

/** CLIs put the server's name in front of the tool's, each with marks of its own (`mcp__my_server__echo`), or have tools for all servers. */
function isOfServer(name: string, server: string): boolean {
  const inWords = (text: string): string => `_${text.replace(/[^A-Za-z0-9]/g, "_")}_`;
  return inWords(name).includes(inWords(server)) || /mcp/i.test(name);
}

function ownTools(what: string, { provider }: BreachContext): Failure {
  return createFailure("own-tools-active", `${provider.label} ${what} in completion mode, where its tools must be off.`);
}
