import type { RehearsalOptions } from "./arguments.ts";
import {
  crash,
  notLoggedIn,
  overloaded,
  quota,
  rateLimit,
  silent,
  stubborn,
  unknownModel,
  usageLimit,
} from "./failing-scenarios.ts";
import { type InputLine, onEachLine, readInputLine } from "./input-lines.ts";
import { createOutputLines } from "./output-lines.ts";
import { storeSession } from "./sessions.ts";
import { answer } from "./speech.ts";
import { tool, toolCaller, toolCallerAll, tools } from "./tool-scenarios.ts";
import { createTurn, HostTools, type PermissionVerdict, type Scenario, type Turn } from "./turn.ts";

type Answers = Map<string, (verdict: PermissionVerdict) => void>;

/** Reads prompts from stdin and plays one turn for each, until EOF or a signal. */
export function serve(given: RehearsalOptions, version: string): void {
  let options = given;
  const answers: Answers = new Map();
  let hostTools: HostTools | undefined;
  let running: AbortController | undefined;
  let turns = Promise.resolve();

  const play = async (prompt: string): Promise<void> => {
    running = new AbortController();
    const { earlier } = options;
    options = { ...options, earlier: [...earlier, prompt] };
    if (options.keepsSession) storeSession(options.sessionId, options.earlier);
    const { signal } = running;
    const answerTo = (requestId: string): Promise<PermissionVerdict> => waitFor(requestId, answers, signal);
    const turn = createTurn(prompt, { ...options, earlier }, createOutputLines(options, version, print), {
      signal,
      answerTo,
      hostTools,
    });
    process.exitCode = await playScenario(turn, signal);
    running = undefined;
  };

  const control = ({ id, subtype, schema, server }: Extract<InputLine, { kind: "control-request" }>): void => {
    answerControl(id, subtype);
    if (subtype === "initialize" && schema !== undefined) options = { ...options, schema };
    if (server !== undefined) hostTools ??= new HostTools(server);
    if (subtype === "interrupt") running?.abort();
  };

  const take = (line: InputLine): void => {
    if (line.kind === "prompt") turns = turns.then(async () => await play(line.text));
    if (line.kind === "mcp-response") hostTools?.take(line.id, line.result);
    if (line.kind === "control-response") answers.get(line.id)?.(line);
    if (line.kind === "control-request") control(line);
  };

  handleSignals(options.model === "stubborn", () => {
    running?.abort();
    return turns;
  });
  process.stdout.on("error", () => undefined);
  onEachLine(process.stdin, (text) => {
    const line = readOrLeave(text);
    if (line !== undefined) take(line);
  });
}

async function waitFor(requestId: string, answers: Answers, signal: AbortSignal): Promise<PermissionVerdict> {
  return await new Promise((resolve, reject) => {
    answers.set(requestId, resolve);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** SIGTERM ends the process, SIGINT the turn and then the process; a stubborn one ignores both. */
function handleSignals(isStubborn: boolean, interrupt: () => Promise<void>): void {
  process.on("SIGTERM", () => {
    if (!isStubborn) process.exit(143);
  });
  process.on("SIGINT", () => {
    if (!isStubborn) void interrupt().then(() => process.exit(0));
  });
}

async function playScenario(turn: Turn, signal: AbortSignal): Promise<number> {
  const scenario = SCENARIOS.get(turn.options.model) ?? unknownModel;
  try {
    return (await scenario(turn)) === "answered" ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    if (turn.lines.count() > 0) printInterruption(turn);
    return 1;
  }
}

function printInterruption(turn: Turn): void {
  turn.current()?.abandon();
  const content = [{ type: "text", text: "[Request interrupted by user]" }];
  turn.lines.send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null });
  const fields = {
    subtype: "error_during_execution",
    is_error: true,
    stop_reason: null,
    terminal_reason: "aborted_streaming",
    errors: ["Request interrupted"],
  };
  turn.lines.result(fields, { read: 0, said: 0 });
}

function answerControl(requestId: string, subtype: string): void {
  const isKnown = ["initialize", "interrupt", "set_model"].includes(subtype);
  const outcome = isKnown
    ? { subtype: "success" }
    : { subtype: "error", error: `Unsupported control request subtype: ${subtype}` };
  print(`${JSON.stringify({ type: "control_response", response: { ...outcome, request_id: requestId } })}\n`);
}

function readOrLeave(text: string): InputLine | undefined {
  try {
    return readInputLine(text);
  } catch (error) {
    process.stderr.write(`Error parsing streaming input line: ${text.slice(0, 200)}: ${String(error)}\n`, () => process.exit(1));
    return undefined;
  }
}

function print(line: string): void {
  process.stdout.write(line);
}

const THOUGHT = "The user wants an answer. I have no model, so I cannot know one. I will quote the prompt and say what I am.";
const NUMBERS = Array.from({ length: 10_000 }, (_, index) => `${index + 1} `).join("");

/** Answers, then stays alive for five seconds without work. */
const linger: Scenario = async (turn) => {
  const outcome = await answer(turn);
  setTimeout(() => undefined, 5000);
  return outcome;
};

/** Every scenario by its model name; the prompt has no influence on the choice. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ["friendly", async (turn) => await answer(turn)],
  ["slow", async (turn) => await answer(turn, { delayMs: 300 })],
  ["reasoning", async (turn) => await answer(turn, { thought: THOUGHT })],
  ["burst", async (turn) => await answer(turn, { said: NUMBERS, delayMs: 0 })],
  ["tool", tool],
  ["tools", tools],
  ["tool-caller", toolCaller],
  ["tool-caller-all", toolCallerAll],
  ["rate-limit", rateLimit],
  ["overloaded", overloaded],
  ["quota", quota],
  ["usage-limit", usageLimit],
  ["not-logged-in", notLoggedIn],
  ["crash", crash],
  ["silent", silent],
  ["stubborn", stubborn],
  ["linger", linger],
]);
