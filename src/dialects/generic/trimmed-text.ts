import { type JsonValue, nativeText } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { ExitReport } from "../../spec/wire/wire.ts";
import { plainText } from "./plain-text.ts";

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
