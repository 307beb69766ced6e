import { refuse } from "../sessions/session-turn.ts";
import { RunError, refusalOf } from "../spec/failure/run-error.ts";
import { checkNames } from "../spec/fields.ts";
import type { EnvironmentOptions, EnvironmentReport } from "../spec/health.ts";
import { defined } from "../spec/json.ts";
import type { Requirements } from "../spec/provider/provider-facts.ts";
import type { TargetChoice } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { Session, SessionMethods, SessionOptions } from "../spec/session.ts";
import { toProviderError } from "./provider-error.ts";

/** What an agent is: the settings of its session, and the files and programs that must exist before it is created. */
export type AgentSpec = Omit<SessionOptions, "target" | "cwd"> & { readonly requires?: Requirements };

/** Where an agent is to work, and the files and programs that it needs. */
export type AgentNeeds = { readonly workspace?: string | undefined; readonly requires?: Requirements | undefined };

/** How a session begins: with a message, or in a workspace in which the CLI works with its own tools, or both. */
export type SessionBeginning = string | { readonly message?: string; readonly workspace?: string };

/** The result of a host tool that the model called. */
export type ToolResult = {
  readonly callId: string;
  readonly name?: string;
  readonly output: string;
  readonly isError?: boolean;
};

/** A session that was created, with the answer to its first message if it began with one. */
export type CreatedSession = { readonly session: Session; readonly answer?: RunResult };

/** The sessions of one target. Its methods reject with one of the six ProviderErrors. */
export type SessionProvider = {
  /** Checks whether the CLI can be started, and what the agent needs exists; a failure is in the report. */
  validateEnvironment(needs?: AgentNeeds): Promise<EnvironmentReport>;
  /** As `validateEnvironment`, but rejects with the first failure; its message says what to do. */
  requireEnvironment(needs?: AgentNeeds): Promise<EnvironmentReport>;
  /** Creates a session, without a stored thread unless `keepThread` is true; refused if the environment is not valid. */
  createSession(agentSpec: AgentSpec, beginning: SessionBeginning): Promise<CreatedSession>;
  sendMessage(session: Session, text: string): Promise<RunResult>;
  /** Sends the results of host tools; refused if the CLI runs the tools itself. */
  submitToolResults(session: Session, results: readonly ToolResult[]): Promise<RunResult>;
  /** The stored session with this id; undefined if there is none. */
  resumeSession(id: string): Session | undefined;
};

const BEGINNING: Readonly<Record<"message" | "workspace", true>> = { message: true, workspace: true };
const NEEDS: Readonly<Record<keyof AgentNeeds, true>> = { workspace: true, requires: true };

/** What the sessions of a target need of a client. */
export type SessionClient = Pick<SessionMethods, "session" | "resume"> & {
  validateEnvironment(target: TargetChoice, options?: EnvironmentOptions): Promise<EnvironmentReport>;
};

/** The sessions of one target of a client, under the names of the provider interface. */
export function createSessionProvider(client: SessionClient, target: TargetChoice): SessionProvider {
  const send: SessionProvider["sendMessage"] = (session, text) => asProviderError(session.send(text));
  return {
    validateEnvironment: async (needs = {}) => client.validateEnvironment(target, toOptions(needs)),
    requireEnvironment: (needs = {}) => asProviderError(requireUsable(client, target, needs)),
    createSession: (agentSpec, beginning) => asProviderError(create(client, target, agentSpec, beginning)),
    sendMessage: send,
    submitToolResults: (session, results) => asProviderError(submit(session, results)),
    resumeSession: (id) => client.resume(id),
  };
}

async function create(
  client: SessionClient,
  target: TargetChoice,
  { requires, ...settings }: AgentSpec,
  beginning: SessionBeginning,
): Promise<CreatedSession> {
  checkNames("The beginning of a session", beginning, BEGINNING);
  const { message, workspace } = typeof beginning === "string" ? { message: beginning } : beginning;
  await requireUsable(client, target, { workspace, requires });
  const mode = workspace === undefined ? {} : { mode: "agent" as const, cwd: workspace };
  const session = client.session({ keepThread: false, ...settings, ...mode, target });
  return message === undefined ? { session } : { session, answer: await session.send(message) };
}

async function requireUsable(client: SessionClient, target: TargetChoice, needs: AgentNeeds): Promise<EnvironmentReport> {
  const report = await client.validateEnvironment(target, toOptions(needs));
  const [failure] = report.failures;
  if (failure === undefined) return report;
  const { message, hint, fixCommand } = failure;
  const advice = fixCommand === undefined || hint.includes(fixCommand) ? hint : `${hint} ${fixCommand}`;
  throw refusalOf({ ...failure, message: `${message} ${advice}` });
}

function toOptions(needs: AgentNeeds): EnvironmentOptions {
  checkNames("What an agent needs", needs, NEEDS);
  const { workspace, requires } = needs;
  return { ...(workspace !== undefined && { cwd: workspace }), ...(requires !== undefined && { requires }) };
}

async function submit(session: Session, results: readonly ToolResult[]): Promise<RunResult> {
  if (session.record.settings.mode === "agent")
    throw refuse("option-unsupported", "In agent mode the CLI runs the tools itself, so there are no results to submit.", {
      hint: "Use host tools in completion mode, or send a message.",
    });
  return await session.send({
    messages: results.map(({ callId, name, output, isError }) => ({
      role: "tool",
      callId,
      text: output,
      ...defined({ name, isError }),
    })),
  });
}

async function asProviderError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw RunError.is(error) ? toProviderError(error) : error;
  }
}
