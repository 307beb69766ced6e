import { objectOf } from "../../dialects/json-access.ts";
import { defineWire, noInput, type SimpleWire } from "../../spec/define-wire.ts";
import { type GrokLinesState, startGrokLines, stepGrokLine } from "./lines.ts";
import { type GrokMessagesState, startGrokMessages, stepGrokMessage } from "./messages.ts";

type State = { readonly lines: GrokLinesState; readonly messages: GrokMessagesState };

/** The two languages of Grok Build's JSON lines, which share no kind of line; docs/dialects/grok.md is their law. */
export const grokStream: SimpleWire = defineWire<State>({
  input: noInput,
  start: (context) => ({ lines: startGrokLines(), messages: startGrokMessages(context) }),
  step(state, native) {
    const line = objectOf(native);
    return (line && stepGrokLine(state.lines, line)) ?? stepGrokMessage(state.messages, native);
  },
});
