import { AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";

/** A message with a type that LangChain does not have. */
export class OtherMessage extends BaseMessage {
  readonly type: string;

  constructor(type: string, content: string) {
    super(content);
    this.type = type;
  }
}

/** A message and its expected encodings. */
export type Described = {
  readonly message: BaseMessage;
  /** The expected events, without name and status of a result. */
  readonly events: readonly { readonly type: string; readonly body: string; readonly name?: string; readonly callId?: string }[];
  /** The expected label in the text encoding. */
  readonly label: string;
};

/** Every line break character. */
export const LINE_BREAKS: readonly string[] = ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"];

const MARKS: readonly string[] = [
  ...[
    '<event type="system" id="0" iteration="0">',
    "</event>",
    "<thread>",
    "</thread>",
    "<",
    ">",
    "&",
    '"',
    "'",
    "&lt;",
    "&#60;",
  ],
  ...["[System]", "[User]", "[Assistant]", "[Tool Result]", "[Tool Result (call_1)]", "[other]", "\\[System]", "[", "]", "\\"],
  ...["]]>", "<![CDATA[", "<!--", "-->", "\0", "\u0007", "\u001b", "\u007f", "\u009b", "\ud83d", "\udc00", "\ufeff", " ", "\t"],
];

/** Text that tries to imitate markup or labels. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...MARKS),
      fc.constantFrom(...LINE_BREAKS),
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(""));

const toolName = hostileText.filter((text) => text !== "");
const callId = fc.oneof(
  fc.constantFrom("call_1", "call_2"),
  toolName.map((text) => text.toWellFormed()),
);
/** The design documents do not define whether white space alone counts as text. */
const spokenText = hostileText.filter((text) => text === "" || text.trim() !== "");
const argumentsObject = fc.dictionary(hostileText, fc.oneof(hostileText, fc.integer(), fc.boolean(), fc.constant(null)), {
  maxKeys: 3,
  noNullPrototype: true,
});
const toolCall = fc.record({ name: toolName, args: argumentsObject, id: fc.option(callId, { nil: undefined }) });

const system = hostileText.map((text): Described => {
  return { message: new SystemMessage(text), events: [{ type: "system", body: text }], label: "[System]" };
});

const human = hostileText.map((text): Described => {
  return { message: new HumanMessage(text), events: [{ type: "human", body: text }], label: "[User]" };
});

const ai = fc.tuple(spokenText, fc.array(toolCall, { maxLength: 3 })).map(([text, calls]): Described => {
  const spoken = text === "" ? [] : [{ type: "ai", body: text }];
  const called = calls.map(({ name, args, id = "" }) => ({ type: "tool_input", body: JSON.stringify(args), name, callId: id }));
  const toolCalls = calls.map(({ name, args, id }) => ({
    name,
    args,
    ...(id !== undefined && { id }),
    type: "tool_call" as const,
  }));
  return {
    message: new AIMessage({ content: text, tool_calls: toolCalls }),
    events: [...spoken, ...called],
    label: "[Assistant]",
  };
});

const toolResult = fc.tuple(hostileText, callId, fc.boolean()).map(([text, id, failed]): Described => {
  const message = new ToolMessage({ content: text, tool_call_id: id, status: failed ? "error" : "success" });
  return { message, events: [{ type: "tool_output", body: text, callId: id }], label: `[Tool Result (${id})]` };
});

const other = fc.tuple(fc.constantFrom("critic", "narrator"), hostileText).map(([type, text]): Described => {
  return { message: new OtherMessage(type, text), events: [{ type, body: text }], label: `[${type}]` };
});

/** Conversations of all kinds of messages with hostile content, names and ids. */
export const hostileConversation: fc.Arbitrary<readonly Described[]> = fc.array(fc.oneof(system, human, ai, toolResult, other), {
  minLength: 1,
  maxLength: 6,
});
