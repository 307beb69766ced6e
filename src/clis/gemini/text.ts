import { plainText } from "../../dialects/plain-text.ts";
import { type Dialect, NO_STEP } from "../../spec/dialect.ts";

/** The output of `gemini -o text`: as any text, but nothing at all is no answer, because Gemini ends well without one (fixture text-format-empty). */
export const geminiText: Dialect = {
  start(context) {
    const turn = plainText.start(context);
    let isBlank = true;
    return {
      step(native) {
        if (typeof native !== "string" || native.trim() !== "") isBlank = false;
        return turn.step(native);
      },
      finish: (exit) => (isBlank && exit.exitCode === 0 ? NO_STEP : turn.finish(exit)),
    };
  },
};
