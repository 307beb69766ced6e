import { objectOf } from "../../dialects/kit/json-access.ts";
import { defineWire, noInput, type SimpleWire } from "../../spec/wire/define-wire.ts";
import { type GrokLinesState, startGrokLines, stepGrokLine } from "./lines.ts";
import { type GrokMessagesState, startGrokMessages, stepGrokMessage } from "./messages.ts";

type State = { readonly lines: GrokLinesState; readonly messages: GrokMessagesState };

/** The two formats of Grok Build's JSON lines, which have no line type in common; docs/dialects/grok.md has the rules. */
export const grokStream: SimpleWire = defineWire<State>({
  input: noInput,
  start: (context) => ({ lines: startGrokLines(), messages: startGrokMessages(context) }),
  step(state, native) {
    const line = objectOf(native);
    return (line && stepGrokLine(state.lines, line)) ?? stepGrokMessage(state.messages, native);
  },
});
