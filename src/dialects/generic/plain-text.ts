import { type JsonValue, nativeText } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { ExitReport, WireStep } from "../../spec/wire/wire.ts";

type State = { readonly pieces: string[] };

/** Output that is only text: with exit code 0 it is the answer, otherwise it is the CLI's error text, beside stderr. */
export const plainText: SimpleWire = defineWire<State>({
  framing: "text",
  start: () => ({ pieces: [] }),
  step(state: State, native: JsonValue): WireStep {
    state.pieces.push(nativeText(native));
    return NO_STEP;
  },
  finish(state: State, exit: ExitReport): WireStep {
    const text = state.pieces.join("").replace(/\r?\n$/, "");
    if (exit.signal !== undefined || (exit.exitCode ?? 0) > 128)
      return text === "" ? NO_STEP : { events: [{ type: "text-delta", messageId: "stdout", text }] };
    if (exit.exitCode !== 0)
      return text === "" ? NO_STEP : { events: [], turnEnd: { finish: "error", fault: { message: text, isOutput: true } } };
    if (text === "") return { events: [], turnEnd: { finish: "stop" } };
    return {
      events: [
        { type: "text-delta", messageId: "stdout", text },
        { type: "text-end", messageId: "stdout" },
      ],
      turnEnd: { finish: "stop", answerId: "stdout" },
    };
  },
});

/** Output that is only text, without leading and trailing whitespace; otherwise as `plainText`. */
export const trimmedText: SimpleWire = defineWire<string[]>({
  framing: "text",
  start: () => [],
  step(pieces: string[], native: JsonValue) {
    pieces.push(nativeText(native));
    return NO_STEP;
  },
  finish(pieces: string[], exit: ExitReport) {
    const turn = plainText.start({});
    turn.step(pieces.join("").trim());
    return turn.finish(exit);
  },
});
