import type { Attempt, PartContext } from "../../run/part.ts";
import type { EventSink } from "../../run/run-writer.ts";
import type { EventBody } from "../../spec/wire/events.ts";
import { type CallersNames, withCallersNames } from "../callers-names.ts";
import { type BridgeParts, endListed, openAttemptBridge } from "./attempt-bridge.ts";
import { BridgedCalls } from "./bridged-calls.ts";

/** The parts of attempts whose calls a function of the caller runs. */
type FunctionParts = BridgeParts & { readonly answerCall: NonNullable<PartContext["answerCall"]> };

/** Makes attempts whose host tools are those of a bridge. Each attempt has its own bridge, which is closed when the attempt ends. */
export function bridged(attempt: Attempt, parts: FunctionParts): Attempt {
  return async (cli, prompt, context) => {
    const { tools, checks, rules, answerCall } = parts;
    const calls = new BridgedCalls(tools, checks, rules.addedArguments ?? []);
    const clocks: ClockSet = new Set();
    const opened = await openAttemptBridge(cli, prompt, parts, {
      signal: context.signal,
      call: (call, { signal }) => {
        // A function may have an effect, so that the attempt is not repeated, also if the CLI never reports the call.
        context.writer.trace.hasActed = true;
        return calls.run(call, () => stopClocks(clocks, () => answerCall(call, signal)));
      },
    });
    try {
      const sink = new BridgeSink(context.sink ?? context.writer, opened.names, calls);
      const end = await attempt(cli, opened.asked, { ...context, sink, watchCalls: (turn) => void clocks.add(turn) });
      return await endListed(cli, opened, context, end);
    } finally {
      await opened.bridge.close();
    }
  };
}

type ClockSet = Set<Parameters<NonNullable<PartContext["watchCalls"]>>[0]>;

/** The CLI waits for the host during a call: its silence is no reason to end the turn. */
async function stopClocks<Result>(clocks: ClockSet, call: () => Promise<Result>): Promise<Result> {
  const stopped = [...clocks];
  for (const clock of stopped) clock.sawQuestion();
  try {
    return await call();
  } finally {
    for (const clock of stopped) clock.sawAnswer();
  }
}

type SinkEvent = EventBody & { readonly parentToolId?: string };

/**
 * Passes events on with the callers' names of host tools instead of the CLI's names. The end of a call gets the result and the duration that
 * the bridge has seen: a CLI may shorten or wrap a result, and OpenCode reports a call only after its end.
 */
class BridgeSink implements EventSink {
  private readonly next: EventSink;
  private readonly callers: CallersNames;
  private readonly calls: BridgedCalls;

  /** `names` are the callers' names by the names of the CLI. */
  constructor(next: EventSink, names: ReadonlyMap<string, string>, calls: BridgedCalls) {
    this.next = next;
    this.callers = { names, inputOf: (name, input) => calls.inputOf(name, input) };
    this.calls = calls;
  }

  writeText(messageId: string, text: string): void {
    this.next.writeText(messageId, text);
  }

  write(event: SinkEvent): void {
    this.next.write(this.rename(event));
  }

  private rename(event: SinkEvent): SinkEvent {
    const name = event.type === "tool-end" ? this.callers.names.get(event.name) : undefined;
    if (event.type !== "tool-end" || name === undefined) return withCallersNames(event, this.callers);
    const input = this.calls.inputOf(name, event.input);
    return { ...event, name, input, ...this.calls.takeResult(name, input) };
  }
}
