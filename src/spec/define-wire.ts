import type { JsonValue } from "./json.ts";
import type { StdinPlan } from "./launch-plan.ts";
import type { PromptRequest } from "./request.ts";
import type { PermissionAnswer } from "./stream.ts";
import type { Connection, ExitReport, OutputFormat, Send, TurnBaseline, Wire, WireStep, WireTurn } from "./wire.ts";

/** What a reducer is told when a turn begins. */
export type TurnContext = TurnBaseline & {
  /** Turns that the same process took before this one, and the money it had spent, for CLIs that count up. */
  readonly turnsBefore?: number;
  readonly costBeforeUsd?: number;
  /** Whether a structured answer was asked for. */
  readonly wantsObject?: boolean;
};

/** What is sent to begin a turn. */
export type TurnInput = (request: PromptRequest) => readonly Send[];

/** A wire as its author writes it: the state of a turn, and what each native value does to it. */
export type WireReducer<State> = {
  /** JSON lines by default. */
  readonly framing?: OutputFormat;
  /** By default the prompt and the end of stdin. */
  readonly input?: TurnInput;
  start(context: TurnContext): State;
  /** May change the state and nothing else. */
  step(state: State, native: JsonValue): WireStep;
  finish?(state: State, exit: ExitReport): WireStep;
  /** Given where the CLI asks for permissions. */
  answer?(state: State, requestId: string, answer: PermissionAnswer): WireStep;
  interrupt?(state: State): WireStep;
};

/** A turn that is read, by whoever began it. */
export type TurnReader = Omit<WireTurn, "begin">;

/** The wire of a CLI that takes its turns one after the other; a wire of another CLI may read with it. */
export type SimpleWire = Wire & { readonly start: (context: TurnContext) => TurnReader };

/** Nothing happened. */
export const NO_STEP: WireStep = { events: [] };

/** The end of stdin. */
export const CLOSE_INPUT: Send = { close: true };

/** Makes a wire of a reducer; the type of its state stays private. */
export function defineWire<State>(reducer: WireReducer<State>): SimpleWire {
  const { framing = "stream-json", input = promptInput, answer } = reducer;
  const start = (context: TurnContext): TurnReader => {
    const state = reducer.start(context);
    return {
      step: (native) => reducer.step(state, native),
      ...(answer !== undefined && { answer: (requestId, given) => answer(state, requestId, given) }),
      interrupt: () => reducer.interrupt?.(state) ?? NO_STEP,
      finish: (exit) => reducer.finish?.(state, exit) ?? NO_STEP,
    };
  };
  return toWire(framing, start, input);
}

/** The same wire for a CLI that is told its prompt in another way. */
export function withInput(wire: SimpleWire, input: TurnInput): SimpleWire {
  return toWire(wire.framing, wire.start, input);
}

/** The input of a CLI that has its prompt from elsewhere, such as an argument. */
export function noInput(): readonly Send[] {
  return [CLOSE_INPUT];
}

/** What a process is sent before it has said anything: what a plan shows of its stdin. */
export function firstInput(wire: Wire, request: PromptRequest): StdinPlan {
  const connection = wire.connect();
  const sends = [...connection.open(), ...(connection.start(0, request, {}).begin().send ?? [])];
  const text = sends.map((send) => ("text" in send ? send.text : "")).join("");
  return { text, close: sends.some((send) => "close" in send) ? "now" : "turn-end" };
}

function promptInput({ prompt }: PromptRequest): readonly Send[] {
  return [{ text: prompt }, CLOSE_INPUT];
}

function toWire(framing: OutputFormat, start: SimpleWire["start"], input: TurnInput): SimpleWire {
  return { framing, turnsAtOnce: 1, start, connect: () => connectInTurn(start, input) };
}

/** A connection whose turns follow one another; it counts them and what they spent. */
function connectInTurn(start: SimpleWire["start"], input: TurnInput): Connection {
  let turnsBefore = 0;
  let spent: Pick<TurnContext, "costBeforeUsd"> = {};
  const note = (step: WireStep): WireStep => {
    if (step.turnEnd === undefined) return step;
    const { totalCostUsd } = step.turnEnd;
    turnsBefore += 1;
    if (totalCostUsd !== undefined) spent = { costBeforeUsd: totalCostUsd };
    return step;
  };
  return {
    open: () => [],
    start(_turn, request, before) {
      const reader = start({ ...before, ...spent, turnsBefore, wantsObject: request.outputSchema !== undefined });
      return {
        ...reader,
        begin: () => ({ events: [], send: input(request) }),
        step: (native) => note(reader.step(native)),
        finish: (exit) => note(reader.finish(exit)),
      };
    },
  };
}
