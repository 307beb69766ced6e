import { resolve } from "node:path";
import type { Client } from "../../client.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import { createFailure } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import { defined } from "../../spec/json.ts";
import type { RunRequest, Targets } from "../../spec/request.ts";
import type { Session, SessionRecord, SessionSettings } from "../../spec/session.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { LocalClient } from "../open-client.ts";
import type { AskOptions } from "../options/ask-options.ts";
import { askRunningServer, type QuestionContext } from "../remote/ask-server.ts";
import { UsageError } from "../usage-error.ts";
import type { Person, TrustedAgent } from "./settle-trust.ts";

export type SessionFlags = Pick<
  AskOptions,
  "continue" | "session" | "resume" | "dryRun" | "cwd" | "provider" | "model" | "system" | "appendSystem"
>;

/** The session that the options choose: a stored one with its record, or a new one with or without a name. */
export type AskedSession = { readonly record?: SessionRecord; readonly name?: string };

/** Undefined if the options choose no session; two choices at once are a usage error. */
export async function findAskedSession(local: LocalClient, flags: SessionFlags): Promise<AskedSession | Failure | undefined> {
  const { continue: last, session, resume } = flags;
  const given = [last && "--continue", session !== undefined && "--session", resume !== undefined && "--resume"];
  const [first, second] = given.filter((flag) => typeof flag === "string");
  if (second !== undefined) throw new UsageError(`${first} and ${second} contradict each other.`, "Remove one of them.");
  if (first !== undefined && flags.dryRun)
    throw new UsageError(`--dry-run and ${first} contradict each other.`, "Remove one of them.");
  if (session?.trim() === "") throw new UsageError("--session has an empty name.", "Name the session.");
  if (first === undefined) return undefined;
  const client = await local.open();
  if (resume !== undefined) {
    const found = findSession(client, resume);
    return "code" in found ? found : { record: found };
  }
  if (session !== undefined) return defined({ name: session, record: client.sessions().find(({ name }) => name === session) });
  const directory = resolve(flags.cwd ?? ".");
  return defined({ record: client.sessions().find(({ cwd, turns }) => cwd === directory && turns > 0) });
}

/** The stored session with this id, the beginning of its id, its name or the id of its CLI; a failure if there is none or more than one. */
export function findSession(client: Client, word: string): SessionRecord | Failure {
  const exact = client.resume(word)?.record;
  if (exact !== undefined) return exact;
  const beginning = word.toLowerCase();
  const [first, second] = word.length < 4 ? [] : client.sessions().filter(({ id }) => id.startsWith(beginning));
  const shown = JSON.stringify(word);
  if (first === undefined)
    return createFailure("session-unknown", `There is no session ${shown}.`, { hint: "cox sessions lists the stored sessions." });
  if (second === undefined) return first;
  return createFailure("session-unknown", `Several sessions begin with ${shown}.`, { hint: "Write more of the id." });
}

/** The targets: those of the command line, else those of a stored session; undefined if none are known. */
export function targetsOf(asked: AskedSession | undefined, flags: SessionFlags, named: Targets | undefined): Targets | undefined {
  if (asked?.record === undefined || flags.provider !== undefined) return named;
  const [first, ...others] = asked.record.targets;
  return [{ ...first, ...defined({ model: flags.model }) }, ...others];
}

/** True if the CLI works with its own tools: by the options, or because the stored session does. */
export function isAgent(asked: AskedSession | undefined, { agent }: Pick<AskOptions, "agent">): boolean {
  return agent === true || asked?.record?.settings.mode === "agent";
}

export type Asked = { readonly targets: Targets; readonly request: RunRequest; readonly flags: SessionFlags };

/** Starts a run, on warm processes of a running `cox serve` if possible, or a turn of the session that the options choose. */
export async function startAsked(
  local: LocalClient,
  session: AskedSession | undefined,
  asked: Asked & { readonly flags: Pick<AskOptions, "serve" | "retries" | "logFile"> },
  { onWay, ...context }: QuestionContext,
): Promise<RunStream | { readonly failure: Failure }> {
  const { targets, request, flags } = asked;
  if (session === undefined) {
    const { serve, retries, logFile } = flags;
    // A run in another process would not be in the log of this one.
    if (!serve || logFile !== undefined) return (await local.open()).run(targets, request, context);
    return await askRunningServer(local, { targets, request, retries }, { ...context, onWay });
  }
  try {
    const { prompt = "", images, outputSchema, timeouts, budget, maxWaitMs, ...settings } = request;
    const once = defined({ images, outputSchema, timeouts, budget, maxWaitMs });
    return openAskedSession(await local.open(), session, { targets, settings, flags }).stream({ prompt, ...once }, context);
  } catch (error) {
    if (RunError.is(error)) return { failure: error.failure };
    throw error;
  }
}

export type SessionChoices = Omit<Asked, "request"> & { readonly settings: SessionSettings };

/** A stored session keeps its settings, except those of the command line. */
export function openAskedSession(client: Client, { record, name }: AskedSession, choices: SessionChoices): Session {
  const { targets, flags } = choices;
  const { cwd, system, systemMode, ...settings } = choices.settings;
  const prompted = defined({ system, systemMode });
  if (record === undefined) return client.session({ ...settings, ...prompted, target: targets, ...defined({ cwd, name }) });
  const isPrompted = flags.system !== undefined || flags.appendSystem !== undefined;
  const place = defined({ cwd: flags.cwd === undefined ? undefined : resolve(flags.cwd) });
  const opened = client.resume(record.id, { ...settings, ...(isPrompted && prompted), ...place });
  if (opened === undefined) throw new UsageError(`The session ${record.id} was removed.`, "Start a new session.");
  const isChosen = flags.provider !== undefined || flags.model !== undefined;
  if (isChosen && JSON.stringify(opened.record.targets) !== JSON.stringify(targets)) opened.handOver(targets);
  return opened;
}

/** Whether the project of an agent is trusted. A completion reads no project, and does not load the code that looks at one. */
export async function trustOf(
  agent: TrustedAgent,
  options: Pick<AskOptions, "agent">,
  person: Person | undefined,
): Promise<{ readonly trustProject?: boolean }> {
  return isAgent(agent.asked, options) ? await (await import("./settle-trust.ts")).settleTrust(agent, person) : {};
}
