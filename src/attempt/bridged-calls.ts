import { isDeepStrictEqual } from "node:util";
import { type CallersNames, callersNameOf, withoutAdded } from "../host-tools/native-tools.ts";
import type { TurnHandle } from "../process/channel/channel.ts";
import type { BoundTools } from "../schemas/validate-schema.ts";
import type { JsonValue } from "../spec/json.ts";
import type { HostCall, NativeTool } from "../spec/message.ts";
import type { HostAnswer, HostQuestion, ToolAnswer } from "../spec/stream.ts";
import { NO_STEP } from "../spec/wire/define-wire.ts";
import type { EventDraft } from "../spec/wire/events.ts";
import type { WireStep, WireTurn } from "../spec/wire/wire.ts";
import type { TurnStep } from "./read-step.ts";

type Call = { readonly name: string; readonly args: JsonValue };

/** A call that the CLI has reported and not ended. */
type Reported = Call & { hasResult: boolean };

/** A call that came by the bridge; `made` once it has a result. */
type Arrived = Call & {
  readonly id: string;
  readonly arrivedAt: number;
  readonly resolve: (answer: ToolAnswer) => void;
  made?: ToolAnswer & { readonly durationMs: number };
};

/**
 * Makes the turn of a CLI that calls host tools by a bridge like one whose wire asks for their results. A call that arrives is a question of the
 * turn: a function of the caller answers it, or it waits for the run that brings the result. A CLI gives the bridge no id of a call, so a call of
 * the bridge and one that the CLI reports are the same if tool and arguments are.
 */
export class BridgedCalls {
  private readonly tools: readonly NativeTool[];
  private readonly checks: BoundTools;
  /** The arguments that the CLI adds to every tool. */
  private readonly added: readonly string[];
  /** By the ids of the CLI. */
  private readonly reported = new Map<string, Reported>();
  private arrived: readonly Arrived[] = [];
  /** Results of a later run, for calls that have not arrived yet. */
  private early: readonly (Call & { readonly answer: ToolAnswer })[] = [];
  private ask: ((question: HostQuestion) => void) | undefined;

  constructor(tools: readonly NativeTool[], checks: BoundTools, added: readonly string[] = []) {
    this.tools = tools;
    this.checks = checks;
    this.added = added;
  }

  /** The callers' names, by those of the CLI, and their inputs without what the CLI adds. */
  callers(names: ReadonlyMap<string, string>): CallersNames {
    const inputOf = (name: string, input: JsonValue): JsonValue =>
      withoutAdded(input, this.added, this.tools.find((tool) => callersNameOf(tool) === name)?.parameters);
    return { names, inputOf };
  }

  /** Resolves with the result of a call, which may be known already. */
  arrive(call: HostCall): Promise<ToolAnswer> {
    const known = this.toCall(call.name, call.args);
    const early = this.early.find((other) => isSame(other, known));
    this.early = this.early.filter((other) => other !== early);
    if (early !== undefined) return Promise.resolve(early.answer);
    return new Promise((resolve) => {
      const id = this.unmetReport(known) ?? call.id;
      this.arrived = [...this.arrived, { ...known, id, arrivedAt: performance.now(), resolve }];
      this.ask?.({ kind: "tool", requestId: id, call });
    });
  }

  /** Wraps the turn of a handle, also of one that is continued; its questions go to `ask`. */
  hold(handle: TurnHandle, callers: CallersNames, ask: (question: HostQuestion) => void): TurnHandle {
    this.ask = ask;
    return { ...handle, turn: this.withBridgedCalls(handle.turn, callers) };
  }

  private withBridgedCalls(turn: WireTurn, callers: CallersNames): WireTurn {
    const { park, spent } = turn;
    return {
      begin: () => turn.begin(),
      step: (native) => this.read(turn.step(native), callers),
      answer: (id, answer) => this.answer(turn, id, answer),
      ...(park !== undefined && { park: () => this.read(park(), callers) }),
      ...(spent !== undefined && { spent }),
      interrupt: () => turn.interrupt(),
      finish: (exit) => this.read(turn.finish(exit), callers),
    };
  }

  /** A message whose calls are all of the CLI itself waits for nothing. */
  private read({ awaitsResults, ...step }: WireStep, callers: CallersNames): TurnStep {
    const running: string[] = [];
    const events = step.events.map((event) => this.see(event, callers, running));
    const waits = awaitsResults === true && [...this.reported.values()].some(({ hasResult }) => !hasResult);
    return { ...step, events, ...(running.length > 0 && { hostRuns: running }), ...(waits && { awaitsResults }) };
  }

  /** A CLI may shorten or wrap a result, and OpenCode reports a call only after its end: the end gets what the bridge has seen. */
  private see(event: EventDraft, { names, inputOf }: CallersNames, running: string[]): EventDraft {
    if (event.type === "tool-reset") this.reported.delete(event.id);
    if (event.type === "tool-call") {
      const name = names.get(event.name);
      if (name === undefined) return event;
      const call = this.toCall(name, inputOf?.(name, event.input) ?? event.input);
      this.reported.set(event.id, { ...call, hasResult: false });
      if (this.arrived.some((other) => isSame(other, call))) running.push(event.id);
    }
    if (event.type !== "tool-end") return event;
    const call = this.reported.get(event.id);
    this.reported.delete(event.id);
    const made = call && this.takeMade(call);
    return made === undefined ? event : { ...event, output: made.text, isError: made.isError, durationMs: made.durationMs };
  }

  /** Takes the first result of an arrived call like this one. */
  private takeMade(call: Call): Arrived["made"] {
    const found = this.arrived.find((other) => other.made !== undefined && isSame(other, call));
    this.arrived = this.arrived.filter((other) => other !== found);
    return found?.made;
  }

  private answer(turn: WireTurn, id: string, answer: HostAnswer): WireStep {
    const report = this.reported.get(id);
    const open = this.arrived.filter(({ made }) => made === undefined);
    const call = open.find((other) => other.id === id) ?? (report && open.find((other) => isSame(other, report)));
    if (!("text" in answer) || (call ?? report) === undefined) return turn.answer?.(id, answer) ?? NO_STEP;
    if (report !== undefined) report.hasResult = true;
    if (call !== undefined) {
      call.made = { ...answer, durationMs: Math.round(performance.now() - call.arrivedAt) };
      call.resolve(answer);
    } else if (report !== undefined) this.early = [...this.early, { ...report, answer }];
    return NO_STEP;
  }

  /** The id of a reported call like this one, of which none has arrived yet. */
  private unmetReport(call: Call): string | undefined {
    const met = new Set(this.arrived.map(({ id }) => id));
    return [...this.reported].find(([id, other]) => !met.has(id) && isSame(other, call))?.[0];
  }

  private toCall(name: string, args: JsonValue): Call {
    return { name, args: this.checks.get(name)?.(args).value ?? args };
  }
}

function isSame(one: Call, other: Call): boolean {
  return one.name === other.name && isDeepStrictEqual(one.args, other.args);
}
