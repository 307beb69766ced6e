import { plainText } from "../../dialects/generic/plain-text.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnReader } from "../../spec/wire/define-wire.ts";

type State = { readonly turn: TurnReader; isBlank: boolean };

/** The output of `gemini -o text`, as plain text. Empty output is no answer, because Gemini then exits with 0 too (fixture text-format-empty). */
export const geminiText: SimpleWire = defineWire<State>({
  framing: "text",
  start: (context) => ({ turn: plainText.start(context), isBlank: true }),
  step(state, native) {
    if (typeof native !== "string" || native.trim() !== "") state.isBlank = false;
    return state.turn.step(native);
  },
  finish: ({ turn, isBlank }, exit) => (isBlank && exit.exitCode === 0 ? NO_STEP : turn.finish(exit)),
});
