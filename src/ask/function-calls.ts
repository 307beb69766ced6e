import { DEFAULT_TIMEOUTS } from "../request/defaults.ts";
import type { PartContext } from "../run/part.ts";
import { type BoundTools, bindTools } from "../schemas/validate-schema.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import type { JsonObject } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import type { CallTool, ToolAnswer } from "../spec/stream.ts";
import type { HostCall } from "../spec/tool.ts";

/** Never rejects: a call that fails is a result for the model. */
export type AnswerCall = NonNullable<PartContext["answerCall"]>;

/** Makes a function of the caller answer calls, within the time of the request and the size that the CLI passes on. */
export function answerByFunction(callTool: CallTool, request: RunRequest, resultBytes: number): AnswerCall {
  const { mode = "completion", timeouts, tools = [] } = request;
  const toolMs = timeouts?.toolMs ?? DEFAULT_TIMEOUTS[mode].toolMs ?? 0;
  const options = { tools: bindTools(tools), callTool, toolMs, resultBytes };
  return (call, signal) => callHostTool(call, { ...options, signal });
}

export type CallOptions = {
  readonly tools: BoundTools;
  readonly callTool: CallTool;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  readonly toolMs: number;
  /** The longest result that the CLI passes on as it is. */
  readonly resultBytes: number;
};

/**
 * Runs one host call and returns its result for the model; never rejects. Unknown tools, wrong arguments, errors, results that are too
 * long and calls that take too long are failed calls, whose text says what is wrong.
 */
async function callHostTool({ id, name, args }: HostCall, options: CallOptions): Promise<ToolAnswer> {
  if (options.signal.aborted) return failed(`${name} was cancelled.`);
  const check = options.tools.get(name);
  if (check === undefined) return failed(`There is no tool ${JSON.stringify(name)}.`);
  const { value, problems } = check(args);
  if (problems.length > 0) return failed(`The arguments of ${name} do not match its schema: ${problems.join("; ")}.`);
  return withinBytes(await runInTime({ id, name, args: value as JsonObject }, options), options.resultBytes);
}

async function runInTime(call: HostCall, { callTool, signal, toolMs }: CallOptions): Promise<ToolAnswer> {
  const stopping = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<ToolAnswer>();
  const stop = (why: string): void => {
    resolve(failed(why));
    stopping.abort(new Error(why));
  };
  const timer = setTimeout(() => stop(`${call.name} took longer than ${toolMs} ms and was cancelled.`), toolMs);
  const cancel = (): void => stop(`${call.name} was cancelled.`);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([runToEnd(call, callTool, stopping.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    // What the function has left running is not needed any more.
    stopping.abort();
  }
}

async function runToEnd(call: HostCall, callTool: CallTool, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    return { text: toText(await callTool(call, { signal })), isError: false };
  } catch (error) {
    return failed(thrownMessage(error));
  }
}

/** The text of a result: a string as it is, nothing as an empty text, any other value as JSON. */
function toText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}

/** CLIs cut long results or replace them by a file, and the model would not know. */
function withinBytes(answer: ToolAnswer, limit: number): ToolAnswer {
  const bytes = Buffer.byteLength(answer.text);
  if (bytes <= limit) return answer;
  return failed(`The result has ${bytes} bytes, but at most ${limit} can be passed on. Ask for a smaller part of it.`);
}

function failed(text: string): ToolAnswer {
  return { text, isError: true };
}
