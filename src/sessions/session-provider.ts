import { toProviderError } from "../failures/to-provider-error.ts";
import type { EnvironmentReport } from "../spec/health.ts";
import { refusalOf } from "../spec/refusal.ts";
import type { TargetChoice } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { Session, SessionMethods, SessionOptions } from "../spec/session.ts";
import { refuse } from "./refuse.ts";

/** What an agent is: the settings of its session. */
export type AgentSpec = Omit<SessionOptions, "target" | "cwd">;

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
  /** Checks whether the CLI can be started; never rejects. */
  validateEnvironment(): Promise<EnvironmentReport>;
  /** Creates a session; refused if the environment is not valid. */
  createSession(agentSpec: AgentSpec, beginning: SessionBeginning): Promise<CreatedSession>;
  sendMessage(session: Session, text: string): Promise<RunResult>;
  /** Sends the results of host tools; refused if the CLI runs the tools itself. */
  submitToolResults(session: Session, results: readonly ToolResult[]): Promise<RunResult>;
  /** The stored session with this id; undefined if there is none. */
  resumeSession(id: string): Session | undefined;
};

/** What the sessions of a target need of a client. */
export type SessionClient = Pick<SessionMethods, "session" | "resume"> & {
  validateEnvironment(target: TargetChoice, options?: { readonly cwd?: string }): Promise<EnvironmentReport>;
};

/** The sessions of one target of a client, under the names of the provider interface. */
export function createSessionProvider(client: SessionClient, target: TargetChoice): SessionProvider {
  const send: SessionProvider["sendMessage"] = (session, text) => asProviderError(session.send(text));
  return {
    validateEnvironment: () => client.validateEnvironment(target),
    createSession: (agentSpec, beginning) => asProviderError(create(client, target, agentSpec, beginning)),
    sendMessage: send,
    submitToolResults: (session, results) => asProviderError(submit(session, results)),
    resumeSession: (id) => client.resume(id),
  };
}

async function create(
  client: SessionClient,
  target: TargetChoice,
  agentSpec: AgentSpec,
  beginning: SessionBeginning,
): Promise<CreatedSession> {
  const { message, workspace } = typeof beginning === "string" ? { message: beginning } : beginning;
  const place = workspace === undefined ? {} : { cwd: workspace };
  const { failures } = await client.validateEnvironment(target, place);
  if (failures[0] !== undefined) throw refusalOf(failures[0]);
  const mode = workspace === undefined ? {} : { mode: "agent" as const, cwd: workspace };
  const session = client.session({ ...agentSpec, ...mode, target });
  return message === undefined ? { session } : { session, answer: await session.send(message) };
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
      ...(name !== undefined && { name }),
      ...(isError !== undefined && { isError }),
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
