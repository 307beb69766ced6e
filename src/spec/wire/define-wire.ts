import type { JsonValue } from "../json.ts";
import type { ToolDefinition } from "../message.ts";
import type { StdinPlan } from "../provider/cli-data.ts";
import type { PermissionMode, Permissions, PromptRequest } from "../request.ts";
import type { HostAnswer } from "../stream.ts";
import type { SessionTotals } from "./usage.ts";
import type { Connection, ExitReport, OutputFormat, Send, TurnBaseline, Wire, WireStep, WireTurn } from "./wire.ts";

/** What a reducer knows when a turn begins. */
export type TurnContext = TurnBaseline & {
  /** The number of earlier turns of the same process, and the totals after the last of them, for CLIs that report running totals. */
  readonly turnsBefore?: number;
  readonly processTotals?: SessionTotals;
  /** True if the request has an output schema. */
  readonly wantsObject?: boolean;
  /** The permission mode of an agent; undefined in a completion, in which the CLI has no tools. */
  readonly permissionMode?: PermissionMode;
  /** The permissions of an agent. */
  readonly permissions?: Permissions;
  /** The host tools that the CLI gets as tools of its own. */
  readonly nativeTools?: readonly ToolDefinition[];
};

/** Returns what is sent to begin a turn. */
export type TurnInput = (request: PromptRequest) => readonly Send[];

/** The definition of a wire: the state of a turn, and how each native value changes it. */
export type WireReducer<State> = {
  /** JSON lines by default. */
  readonly framing?: OutputFormat;
  /** Reads a frequent line faster than `JSON.parse`. */
  readonly readLine?: Wire["readLine"];
  /** By default the prompt and then EOF. */
  readonly input?: TurnInput;
  /** What is sent to continue the conversation of a turn that has ended; present if the CLI keeps it. */
  readonly nextInput?: TurnInput;
  start(context: TurnContext): State;
  /** Reads one native value; may change the state and nothing else. */
  step(state: State, native: JsonValue): WireStep;
  finish?(state: State, exit: ExitReport): WireStep;
  /** Present if the CLI asks the host. */
  answer?(state: State, requestId: string, answer: HostAnswer): WireStep;
  park?(state: State): WireStep;
  /** What the turn has used so far: tokens, or tokens and their cost. Present if the CLI reports it before the end of the turn. */
  readonly spent?: {
    readonly counts: "tokens" | "cost";
    readonly read: (state: State) => ReturnType<NonNullable<WireTurn["spent"]>>;
  };
  interrupt?(state: State): WireStep;
};

/** A turn without its begin: it only reads. */
export type TurnReader = Omit<WireTurn, "begin">;

/** The wire of a CLI that takes one turn at a time; another wire may use its `start` to read a turn. */
export type SimpleWire = Wire & { readonly start: (context: TurnContext) => TurnReader };

export const NO_STEP: WireStep = { events: [] };

export const CLOSE_INPUT: Send = { close: true };

/** Creates a wire from a reducer; the type of its state stays private. */
export function defineWire<State>(reducer: WireReducer<State>): SimpleWire {
  const { framing = "stream-json", readLine, input = promptInput, nextInput, answer, park, spent } = reducer;
  const start = (context: TurnContext): TurnReader => {
    const state = reducer.start(context);
    return {
      step: (native) => reducer.step(state, native),
      ...(answer !== undefined && { answer: (requestId, given) => answer(state, requestId, given) }),
      ...(park !== undefined && { park: () => park(state) }),
      ...(spent !== undefined && { spent: () => spent.read(state) }),
      interrupt: () => reducer.interrupt?.(state) ?? NO_STEP,
      finish: (exit) => reducer.finish?.(state, exit) ?? NO_STEP,
    };
  };
  const reading = { framing, start, ...(readLine !== undefined && { readLine }), ...(spent && { countsSteps: spent.counts }) };
  return toWire(reading, input, nextInput);
}

/** The same wire with another input, for a CLI that takes its prompt in another form. */
export function withInput(wire: SimpleWire, input: TurnInput, nextInput?: TurnInput): SimpleWire {
  return toWire(wire, input, nextInput);
}

/** The input of a CLI that gets its prompt elsewhere, such as in an argument: only EOF. */
export function noInput(): readonly Send[] {
  return [CLOSE_INPUT];
}

/** What is sent to a process before it prints anything, as a plan shows it. */
export function firstInput(wire: Wire, request: PromptRequest): StdinPlan {
  const connection = wire.connect();
  const sends = [...connection.open(), ...(connection.start(0, request, {}).begin().send ?? [])];
  const text = sends.map((send) => ("text" in send ? send.text : "")).join("");
  return { text, close: sends.some((send) => "close" in send) ? "now" : "turn-end" };
}

function promptInput({ prompt }: PromptRequest): readonly Send[] {
  return [{ text: prompt }, CLOSE_INPUT];
}

function toWire(
  reading: Pick<SimpleWire, "framing" | "readLine" | "start" | "countsSteps">,
  input: TurnInput,
  nextInput?: TurnInput,
): SimpleWire {
  return { ...reading, turnsAtOnce: 1, connect: () => connectInTurn(reading.start, input, nextInput) };
}

/** A connection that takes one turn at a time; it counts the turns and keeps the totals of the process. */
function connectInTurn(start: SimpleWire["start"], input: TurnInput, nextInput: TurnInput | undefined): Connection {
  let turnsBefore = 0;
  let counted: Pick<TurnContext, "processTotals"> = {};
  const note = (step: WireStep): WireStep => {
    if (step.turnEnd === undefined) return step;
    const { totals } = step.turnEnd;
    turnsBefore += 1;
    if (totals !== undefined) counted = { processTotals: totals };
    return step;
  };
  const open = (request: PromptRequest, before: TurnBaseline): TurnReader => {
    const { permissions = {} } = request;
    const agent = request.mode === "agent" ? { permissionMode: permissions.mode ?? "default", permissions } : {};
    const { nativeTools = [], outputSchema } = request;
    return start({ ...before, ...counted, turnsBefore, wantsObject: outputSchema !== undefined, nativeTools, ...agent });
  };
  return {
    open: () => [],
    start(_turn, request, before) {
      let reader = open(request, before);
      const { answer, park, spent } = reader;
      return {
        begin: () => ({ events: [], send: input(request) }),
        step: (native) => note(reader.step(native)),
        ...(answer !== undefined && { answer: (requestId, given) => reader.answer?.(requestId, given) ?? NO_STEP }),
        ...(park !== undefined && { park: () => reader.park?.() ?? NO_STEP }),
        ...(spent !== undefined && { spent: () => reader.spent?.() }),
        ...(nextInput !== undefined && {
          goOn: (next) => {
            reader = open(next, {});
            return { events: [], send: nextInput(next) };
          },
        }),
        interrupt: () => reader.interrupt(),
        finish: (exit) => note(reader.finish(exit)),
      };
    },
  };
}
