import type { CallersNames } from "../host-tools/native-tools.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { resumedBy } from "../spec/fields.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { HostQuestion } from "../spec/stream.ts";
import type { EventDraft, Warning } from "../spec/wire/events.ts";
import type { TurnEnd, WireStep, WireTurn } from "../spec/wire/wire.ts";
import { markUntold } from "./ask-host.ts";
import type { EventLog } from "./event-log.ts";

/** A step of a turn, and the ids of calls in it that the host runs already. */
export type TurnStep = WireStep & { readonly hostRuns?: readonly string[] };

export type StepRules = {
  /** The failure of an event that breaks the request; it gets the CLI's names of tools. */
  readonly findFailure?: (event: EventDraft) => Failure | undefined;
  /** Called when a tool begins to run and when it has ended: its processes may be alive then. */
  readonly sawTool?: () => void;
  /** The callers' names of host tools by the names of the CLI, where they differ. */
  readonly callers?: CallersNames | undefined;
};

/** Adds the events of a step to the log; returns the declared turn end, or the failure of an event that breaks the request. */
export function decodeStep(
  step: WireStep,
  log: Pick<EventLog, "add">,
  { findFailure, sawTool, callers }: StepRules = {},
): TurnEnd | Failure | undefined {
  for (const read of step.events) {
    const event = read.type === "permission-request" ? markUntold(read) : read;
    const failure = findFailure?.(event);
    log.add(callers === undefined ? event : withCallersNames(event, callers));
    if (event.type === "tool-call" || event.type === "tool-end") sawTool?.();
    if (failure !== undefined) return failure;
  }
  return step.turnEnd;
}

/** After the result of a tool the CLI asks its model again, so a run with a budget reports by then what it has used. */
export function reportSpending(
  { budget }: PromptRequest,
  log: Pick<EventLog, "add">,
  { events, asksAgain }: WireStep,
  turn: WireTurn | undefined,
): void {
  if (budget === undefined || turn?.spent === undefined) return;
  if (asksAgain !== true && !events.some(({ type }) => type === "tool-end")) return;
  const report = turn.spent();
  if (report !== undefined) log.add(report);
}

/** The end of a call is left as it is. */
function withCallersNames(event: EventDraft, { names, inputOf }: CallersNames): EventDraft {
  if (event.type === "session-start") {
    const { tools } = event;
    return tools === undefined ? event : { ...event, tools: tools.map((tool) => names.get(tool) ?? tool) };
  }
  const name = "name" in event && typeof event.name === "string" ? names.get(event.name) : undefined;
  if (name === undefined) return event;
  switch (event.type) {
    case "tool-call":
      return { ...event, name, input: inputOf?.(name, event.input) ?? event.input, executor: "host" };
    case "tool-start":
    case "permission-request":
    case "permission-denied":
      return { ...event, name };
    default:
      return event;
  }
}

export function withCallersName(question: HostQuestion, names: CallersNames["names"] | undefined): HostQuestion {
  if (names === undefined) return question;
  if (!("kind" in question)) return { ...question, name: names.get(question.name) ?? question.name };
  const { call } = question;
  return { ...question, call: { ...call, name: names.get(call.name) ?? call.name } };
}

type BreachContext = {
  readonly provider: Provider;
  readonly request: PromptRequest;
  /** The name of an open call of a tool that the CLI runs itself. */
  readonly toolName: (id: string) => string | undefined;
};

/**
 * The failure of a CLI that works in another session than requested, drops the schema, offers or runs its own tools in
 * completion mode, or has not connected to a required MCP server.
 */
export function findBreach(event: EventDraft, context: BreachContext): Failure | undefined {
  if (event.type === "session-start") {
    const { sessionId, tools } = event;
    return (
      wrongSession(sessionId, context) ??
      lostSchema(tools, context) ??
      lostTools(tools, context) ??
      offeredTools(tools ?? [], context)
    );
  }
  if (event.type === "warning") return requiredServer(event, context);
  if (event.type !== "tool-end" || (event.isError && isRefused(event.output, context))) return undefined;
  const name = context.toolName(event.id);
  return name === undefined || !isUnasked(name, context) ? undefined : ownTools(`ran its own tool ${name}`, context);
}

/** A model may call a tool that it was not offered; the CLI then reports that the tool does not exist, and nothing has run. */
function isRefused(output: unknown, { provider }: BreachContext): boolean {
  return typeof output === "string" && provider.refusedCall?.test(output) === true;
}

/** Some CLIs start a new session when the requested one does not exist (fixture multi-turn-resume-last). */
function wrongSession(sessionId: string, { provider, request }: BreachContext): Failure | undefined {
  const asked = resumedBy(request) ?? sessionId;
  if (asked.toLowerCase() === sessionId.toLowerCase()) return undefined;
  return createFailure("session-unknown", `${provider.label} does not know the session ${asked} and started another one.`);
}

/** A CLI that has a tool for structured answers offers it if it accepts the schema; Claude Code drops any other without a word. */
function lostSchema(tools: readonly string[] | undefined, { provider, request }: BreachContext): Failure | undefined {
  const { objectTool, label } = provider;
  if (request.outputSchema === undefined || objectTool === undefined || tools?.includes(objectTool) !== false) return undefined;
  return createFailure("schema-unreadable", `${label} does not accept the JSON Schema of the request.`, {
    hint: "Use simpler keywords of JSON Schema, or another provider.",
  });
}

function requiredServer({ server, message }: Warning, { provider, request }: BreachContext): Failure | undefined {
  const { mcpServers = {} } = request;
  if (server === undefined || !Object.hasOwn(mcpServers, server) || mcpServers[server]?.required !== true) return undefined;
  return createFailure("mcp-server-unavailable", `${provider.label} cannot use a required MCP server. ${message}`);
}

/** A CLI that lists its tools must list the host tools; Claude Code drops all of them because of one schema, without a word. */
function lostTools(tools: readonly string[] | undefined, { provider, request }: BreachContext): Failure | undefined {
  const { hostServer, nativeTools = [] } = request;
  const { areListed, bridgeName } = provider.transports.spawn.nativeTools ?? {};
  // The bridge itself sees whether a CLI asks for its tools; one that lists them has asked in time.
  if (hostServer !== undefined && areListed !== true) return undefined;
  const nameOf = (name: string): string => (hostServer === undefined ? name : (bridgeName?.(hostServer, name) ?? name));
  const lost = nativeTools.filter(({ name }) => tools?.includes(nameOf(name)) === false).map(({ name }) => name);
  if (lost.length === 0) return undefined;
  const code = hostServer === undefined ? "option-unsupported" : "mcp-server-unavailable";
  return createFailure(code, `${provider.label} does not offer the host tools ${lost.join(", ")}.`, {
    hint: 'Use hostTools: "text", or simpler schemas.',
  });
}

function offeredTools(tools: readonly string[], context: BreachContext): Failure | undefined {
  const unasked = tools.filter((name) => isUnasked(name, context));
  return unasked.length === 0 ? undefined : ownTools(`offers the model its own tools (${unasked.join(", ")})`, context);
}

/**
 * In completion mode a CLI whose tools can be switched off may offer only its tool for structured answers, the host tools and
 * the tools of the request's MCP servers.
 */
function isUnasked(name: string, { provider, request }: BreachContext): boolean {
  if (request.mode === "agent" || provider.traits.ownTools !== "off") return false;
  if (request.outputSchema !== undefined && name === provider.objectTool) return false;
  if (request.nativeTools?.some((tool) => tool.name === name) === true) return false;
  const servers = Object.keys(request.mcpServers ?? {});
  if (servers.length > 0 && provider.serverTools?.includes(name) === true) return false;
  return !servers.some((server) => isOfServer(name, server));
}

/**
 * CLIs put the server name before the tool name, with different separators (`mcp__my_server__echo`), or have tools for all
 * servers.
 */
function isOfServer(name: string, server: string): boolean {
  const inWords = (text: string): string => `_${text.replace(/[^A-Za-z0-9]/g, "_")}_`;
  return inWords(name).includes(inWords(server)) || /mcp/i.test(name);
}

function ownTools(what: string, { provider }: BreachContext): Failure {
  return createFailure("own-tools-active", `${provider.label} ${what} in completion mode, where its tools must be off.`);
}
