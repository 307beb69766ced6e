import { callersNameOf, withoutAdded } from "../../host-tools/native-names.ts";
import type { ParkedTurn, TurnHandle } from "../../process/channel/channel.ts";
import type { Attempt } from "../../run/part.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { HostAnswer } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { WireStep, WireTurn } from "../../spec/wire/wire.ts";
import { type CallersNames, withCallersNames } from "../callers-names.ts";
import { type BridgeParts, endListed, openAttemptBridge } from "./attempt-bridge.ts";
import { AwaitedResults } from "./awaited-results.ts";

/**
 * Makes attempts whose host tools are those of a bridge and whose turns can be parked: the bridge leaves a call open until a later run
 * brings its result. It is closed when the process has ended, because a CLI that loses its server while it waits asks its model once more.
 */
export function bridgedForLater(attempt: Attempt, parts: BridgeParts): Attempt {
  return async (cli, prompt, context) => {
    const { tools, checks, rules } = parts;
    const results = new AwaitedResults(checks);
    // The signal of this run says nothing about a turn that a later run continues.
    const { signal } = new AbortController();
    const opened = await openAttemptBridge(cli, prompt, parts, { signal, call: (call) => results.wait(call) });
    const calls = new HeldCalls(
      {
        names: opened.names,
        inputOf: (name, input) => {
          const { parameters } = tools.find((tool) => callersNameOf(tool) === name) ?? {};
          return withoutAdded(input, rules.addedArguments ?? [], parameters);
        },
      },
      results,
    );
    let gone = Promise.resolve();
    try {
      const end = await attempt(cli, opened.asked, {
        ...context,
        holdTurn: (handle, channel) => {
          gone = channel.gone;
          return calls.hold(handle);
        },
      });
      return await endListed(cli, opened, context, end);
    } finally {
      void gone.then(() => opened.bridge.close());
    }
  };
}

/**
 * Makes the turn of a CLI that calls host tools by a bridge like one whose wire asks for results: its calls are those of the host, and a
 * result that it is answered goes to the bridge.
 */
class HeldCalls {
  private readonly callers: CallersNames;
  private readonly results: AwaitedResults;
  /** The calls without a result, by their ids in the CLI. */
  private readonly open = new Map<string, { readonly name: string; readonly input: JsonValue }>();

  constructor(callers: CallersNames, results: AwaitedResults) {
    this.callers = callers;
    this.results = results;
  }

  /** Wraps the handle of a turn. The handle stays wrapped when the turn is parked and continued. */
  hold(handle: TurnHandle): TurnHandle {
    return { ...handle, turn: this.holdTurn(handle.turn), park: (...reason) => this.holdParked(handle.park(...reason)) };
  }

  private holdParked(parked: ParkedTurn): ParkedTurn {
    const { channel, waitsFor } = parked;
    return {
      channel,
      waitsFor,
      get isOpen() {
        return parked.isOpen;
      },
      kept: () => parked.kept(),
      end: () => parked.end(),
      resume: (sink) => this.hold(parked.resume(sink)),
    };
  }

  private holdTurn(turn: WireTurn): WireTurn {
    const { park, spent } = turn;
    return {
      begin: () => turn.begin(),
      step: (native) => this.read(turn.step(native)),
      answer: (id, answer) => this.answer(turn, id, answer),
      ...(park !== undefined && { park: () => this.read(park()) }),
      ...(spent !== undefined && { spent }),
      interrupt: () => turn.interrupt(),
      finish: (exit) => this.read(turn.finish(exit)),
    };
  }

  /** A message whose calls are all of the CLI itself waits for nothing. */
  private read({ awaitsResults, ...step }: WireStep): WireStep {
    const events = step.events.map((event) => withCallersNames(event, this.callers));
    for (const event of events) {
      if (event.type === "tool-call" && event.executor === "host") this.open.set(event.id, event);
      if (event.type === "tool-end" || event.type === "tool-reset") this.open.delete(event.id);
    }
    return { ...step, events, ...(awaitsResults === true && this.open.size > 0 && { awaitsResults }) };
  }

  private answer(turn: WireTurn, id: string, answer: HostAnswer): WireStep {
    const call = this.open.get(id);
    if (call === undefined || !("text" in answer)) return turn.answer?.(id, answer) ?? NO_STEP;
    this.open.delete(id);
    this.results.give(call.name, call.input, answer);
    return NO_STEP;
  }
}
