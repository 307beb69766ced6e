import { plainText } from "../../dialects/plain-text.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnReader } from "../../spec/define-wire.ts";

type State = { readonly turn: TurnReader; isBlank: boolean };

/** The output of `gemini -o text`: as any text, but nothing at all is no answer, because Gemini ends well without one (fixture text-format-empty). */
export const geminiText: SimpleWire = defineWire<State>({
  framing: "text",
  start: (context) => ({ turn: plainText.start(context), isBlank: true }),
  step(state, native) {
    if (typeof native !== "string" || native.trim() !== "") state.isBlank = false;
    return state.turn.step(native);
  },
  finish: ({ turn, isBlank }, exit) => (isBlank && exit.exitCode === 0 ? NO_STEP : turn.finish(exit)),
});
