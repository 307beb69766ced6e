import { appendFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { redact, redactValue } from "../failures/redact.ts";
import { type RunSecrets, secretsOf } from "../failures/secrets.ts";
import { type Failure, thrownCode, thrownMessage } from "../spec/failure/failure.ts";
import { checkNames } from "../spec/fields.ts";
import { defined, type JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import {
  LOG_LEVELS,
  type LogEntry,
  type LogLevel,
  type LogOptions,
  type RunBatch,
  type RunKind,
  type RunListener,
} from "../spec/run-listener.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { callListener, secretsBehind } from "./observe-run.ts";

export type ListenOptions = {
  /** Gets the events of each run, with its target, attempt and turn: docs/tracing.md. */
  readonly onRun?: RunListener;
  /** Writes a log of the runs, without secrets: docs/tracing.md. */
  readonly log?: LogOptions;
};

/** One listener for both options; undefined without them, so that a run then does nothing for it. Throws a TypeError for wrong options. */
export function createListener({ onRun, log }: ListenOptions, host: LogHost): RunListener | undefined {
  if (onRun !== undefined && typeof onRun !== "function") throw new TypeError("onRun must be a function.");
  const logged = log === undefined ? undefined : createRunLog(log, host);
  if (onRun === undefined || logged === undefined) return onRun ?? logged;
  return (batch) => {
    callListener(logged, batch);
    callListener(onRun, batch);
  };
}

/** The providers say which variables of the environment contain secrets. */
type LogHost = { readonly env: Readonly<Record<string, string | undefined>>; readonly providers: readonly Provider[] };

type LoggedRun = { readonly secrets: RunSecrets; text: string };

/** Throws a TypeError for wrong options, and an error for a file that cannot be written. */
function createRunLog(options: LogOptions, host: LogHost): RunListener {
  const write = writerOf(options);
  const { level = "info" } = options;
  const least = LOG_LEVELS.indexOf(level);
  const isDebug = level === "debug";
  const runs = new Map<string, LoggedRun>();
  return (batch) => {
    const run = runs.get(batch.runId) ?? { secrets: secretsIn(batch, host), text: "" };
    runs.set(batch.runId, run);
    if (batch.end !== undefined) runs.delete(batch.runId);
    const lines = linesOf(batch, isDebug ? run : undefined).filter((line) => LOG_LEVELS.indexOf(line.level) <= least);
    if (lines.length === 0) return;
    const secrets = [...new Set([...run.secrets(), ...secretsBehind(batch)])];
    for (const line of lines) callListener(write, toEntry(isDebug ? line : { ...line, data: undefined }, batch, secrets));
  };
}

/** The log takes no further piece of a text that has this many characters. */
const LONGEST_TEXT = 4096;

/** Only a run whose texts are logged (`run`) has lines with the prompt and the answer. */
function linesOf({ kind, events, request }: RunBatch, run: LoggedRun | undefined): readonly LogLine[] {
  return events.flatMap((event) => {
    if (event.type === "text-delta") {
      if (run !== undefined && run.text.length < LONGEST_TEXT) run.text += event.text;
      return [];
    }
    const line = describeEvent(event, kind);
    const lines = line === undefined ? [] : [line];
    if (run === undefined) return lines;
    if (event.type === "run-start" && request !== undefined) lines.push(describeRequest(request));
    if (event.type !== "run-end" && event.type !== "attempt-start") return lines;
    const { text } = run;
    run.text = "";
    return text === "" ? lines : [{ level: "debug", message: "text of the attempt", data: text }, ...lines];
  });
}

/** The secrets of the environment, by the names that any provider knows, and those of the request. */
function secretsIn({ request }: RunBatch, { env, providers }: LogHost): RunSecrets {
  const apiKeys = providers.flatMap((provider) => [...provider.env.apiKeys, ...(provider.env.secrets ?? [])]);
  return secretsOf({ env: { apiKeys } }, request ?? {}, env);
}

function toEntry({ level, message, code, data }: LogLine, batch: RunBatch, secrets: readonly string[]): LogEntry {
  const { runId, provider, model, attempt, session } = batch;
  return defined({
    time: new Date().toISOString(),
    level,
    runId,
    target: provider !== undefined && model !== undefined ? `${provider}/${model}` : provider,
    attempt,
    session: session?.id,
    turn: session?.turn,
    message: redact(message, secrets),
    code,
    data: data === undefined ? undefined : redactValue(data as JsonValue, secrets),
  });
}

const FIELDS = { level: true, file: true, write: true } as const;

function writerOf(options: LogOptions): (entry: LogEntry) => unknown {
  if (typeof options !== "object" || options === null) throw new TypeError("log must be an object.");
  checkNames("log", options, FIELDS);
  const { level = "info" } = options;
  if (!LOG_LEVELS.includes(level)) throw new TypeError(`log.level must be one of ${LOG_LEVELS.join(", ")}.`);
  const { file, write } = options;
  if ((file === undefined) === (write === undefined)) throw new TypeError("log needs either a file or a function write.");
  if (write !== undefined) {
    if (typeof write !== "function") throw new TypeError("log.write must be a function.");
    return write;
  }
  if (typeof file !== "string" || file === "") throw new TypeError("log.file must be a path.");
  const append = openLogFile(file);
  return (entry) => append(`${JSON.stringify(entry)}\n`);
}

/** Secrets are removed from it later. `data` is only for a log of the level `debug`. */
type LogLine = { readonly level: LogLevel; readonly message: string; readonly code?: string; readonly data?: unknown };

/** The codes of warnings and failures whose message quotes the answer of the model or the output of a tool. */
const QUOTING: ReadonlySet<string> = new Set([
  ...["tool-call-corrected", "object-corrected"],
  ...["tool-call-unreadable", "schema-mismatch", "tools-failing", "refused", "upstream-garbled"],
]);

/** The line about an event; undefined for the pieces of a text or a value, which another event has whole. */
function describeEvent(event: RunEvent, kind: RunKind): LogLine | undefined {
  const line = headline(event, kind);
  return line && { ...line, data: event };
}

function headline(event: RunEvent, kind: RunKind): LogLine | undefined {
  switch (event.type) {
    case "run-start":
      return { level: "info", message: `${kind} started` };
    case "attempt-start":
      return { level: "info", message: `attempt ${event.attempt}, ${event.warm ? "warm" : event.transport}` };
    case "warning":
      return { level: "warn", message: saidBy(event), code: event.code };
    case "retry":
      return failed("warn", `retry in ${event.delayMs} ms`, event.failure);
    case "fallback":
      return failed("warn", `fallback to ${event.to}`, event.failure);
    case "upstream-retry":
      return { level: "warn", message: `the CLI repeats its request${event.status ? ` after status ${event.status}` : ""}` };
    case "permission-denied":
      return { level: "warn", message: `${event.name} was denied` };
    case "run-end":
      if (event.failure !== undefined) return failed("error", `failed after ${event.atMs} ms`, event.failure);
      return { level: "info", message: `ended after ${event.atMs} ms: ${event.finish}` };
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
    case "tool-output-delta":
    case "object-delta":
      return undefined;
    default:
      return { level: "debug", message: event.type };
  }
}

function failed(level: LogLevel, message: string, failure: Failure): LogLine {
  return { level, message: `${message}: ${saidBy(failure)}`, code: failure.code };
}

/** A message without words of the answer. */
function saidBy({ code, message }: { readonly code: string; readonly message: string }): string {
  return QUOTING.has(code) ? code : message;
}

/** The line with the prompt and the settings of a run. Of variables, servers and tools it has only the names, and no images. */
function describeRequest(request: RunRequest): LogLine {
  const { env, mcpServers, tools, images, messages, outputSchema, metadata: _, ...rest } = request;
  const data = defined({
    ...rest,
    messages: messages?.map(({ images: _images, ...message }) => message),
    env: env && Object.keys(env),
    mcpServers: mcpServers && Object.keys(mcpServers),
    tools: tools?.map(({ name }) => name),
    images: images?.length,
    outputSchema: outputSchema && true,
  });
  return { level: "debug", message: "request", data };
}

/**
 * Opens a file to which lines are added. Only its owner may read a file that is made here; one that exists keeps its mode. Throws an error that
 * names the file if it cannot be written.
 */
export function openLogFile(file: string): (text: string) => void {
  // The directory of the process may change later.
  const path = resolve(file);
  // Written at once, because a program that exits would lose what waits.
  const append = (text: string): void => appendFileSync(path, text, { mode: 0o600 });
  try {
    append("");
  } catch (error) {
    throw new Error(`The log file ${path} cannot be written: ${reasonOf(error, path)}.`, { cause: error });
  }
  return append;
}

function reasonOf(error: unknown, path: string): string {
  switch (thrownCode(error)) {
    case "ENOENT":
      return `the directory ${dirname(path)} does not exist`;
    case "EISDIR":
      return "it is a directory";
    case "EACCES":
    case "EPERM":
      return "this user may not write it";
    default:
      return thrownMessage(error);
  }
}
