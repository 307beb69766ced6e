import { redact, redactValue } from "../../failures/redact.ts";
import { type RunSecrets, secretsOf } from "../../failures/run-secrets.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import { LOG_LEVELS, type LogEntry, type LogOptions, type RunBatch, type RunListener } from "../../spec/run-listener.ts";
import { checkNames } from "../../spec/text/check-names.ts";
import { callListener, secretsBehind } from "../observe-run.ts";
import { openLogFile } from "./log-file.ts";
import { describeEvent, describeRequest, type LogLine } from "./log-lines.ts";

/** What a log knows about its client: the environment, and which of its variables contain secrets. */
export type LogHost = { readonly env: Readonly<Record<string, string | undefined>>; readonly providers: readonly Provider[] };

type LoggedRun = { readonly secrets: RunSecrets; text: string };

/** The listener that writes the log of a client; throws a TypeError for wrong options, and an error for a file that cannot be written. */
export function createRunLog(options: LogOptions, host: LogHost): RunListener {
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

/** A line shows no more of a text. */
const LONGEST_TEXT = 4096;

/** The lines about a batch; those with the prompt and the answer only for a run whose texts are logged. */
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
  return {
    time: new Date().toISOString(),
    level,
    runId,
    ...(provider !== undefined && { target: model === undefined ? provider : `${provider}/${model}` }),
    attempt,
    ...(session !== undefined && { session: session.id, turn: session.turn }),
    message: redact(message, secrets),
    ...(code !== undefined && { code }),
    ...(data !== undefined && { data: redactValue(data as JsonValue, secrets) }),
  };
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
