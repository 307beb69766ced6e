import type { ResponseStreamEvent } from "openai/resources/responses/responses";

type Fields = Readonly<Record<string, unknown>>;

/** The events of an item by its type: those before its deltas, its deltas, and those behind them. */
const ITEM_EVENTS: Readonly<
  Record<string, { readonly opening: readonly string[]; readonly delta: string; readonly closing: readonly string[] }>
> = {
  message: {
    opening: ["response.content_part.added"],
    delta: "response.output_text.delta",
    closing: ["response.output_text.done", "response.content_part.done"],
  },
  reasoning: {
    opening: ["response.reasoning_summary_part.added"],
    delta: "response.reasoning_summary_text.delta",
    closing: ["response.reasoning_summary_text.done", "response.reasoning_summary_part.done"],
  },
  function_call: {
    opening: [],
    delta: "response.function_call_arguments.delta",
    closing: ["response.function_call_arguments.done"],
  },
  custom_tool_call: {
    opening: [],
    delta: "response.custom_tool_call_input.delta",
    closing: ["response.custom_tool_call_input.done"],
  },
};

/** What is wrong with the events of one response: their numbers, their order, or texts that are not those of their deltas. */
export function findProblems(events: readonly ResponseStreamEvent[]): readonly string[] {
  const problems: string[] = [];
  for (const [index, event] of events.entries())
    if (Reflect.get(event, "sequence_number") !== index) problems.push(`event ${index} has another number`);
  const [created, inProgress, ...rest] = events.filter(({ type }) => type !== "error");
  const last = rest.pop();
  if (created?.type !== "response.created" || inProgress?.type !== "response.in_progress") problems.push("a wrong beginning");
  if (last?.type !== "response.completed" && last?.type !== "response.incomplete" && last?.type !== "response.failed")
    return [...problems, `ends with ${last?.type}`];
  const items = splitItems(rest);
  problems.push(...items.flatMap((item, index) => checkItem(item, index)));
  const done = items.map((item) => Reflect.get(item.at(-1) ?? {}, "item"));
  if (JSON.stringify(last.response.output) !== JSON.stringify(done)) problems.push("the output is not that of the items");
  const ids = [created, inProgress, last].map((event) => Reflect.get(Reflect.get(event ?? {}, "response") ?? {}, "id"));
  if (new Set(ids).size !== 1) problems.push("the id of the response changes");
  return problems;
}

function splitItems(events: readonly ResponseStreamEvent[]): readonly (readonly ResponseStreamEvent[])[] {
  const items: ResponseStreamEvent[][] = [];
  for (const event of events) {
    if (event.type === "response.output_item.added") items.push([]);
    items.at(-1)?.push(event);
  }
  return items;
}

function checkItem(events: readonly ResponseStreamEvent[], index: number): readonly string[] {
  const [added, ...rest] = events as unknown as readonly Fields[];
  const item = (added?.["item"] ?? {}) as Fields;
  const rules = ITEM_EVENTS[String(item["type"])];
  if (rules === undefined) return [`item ${index} has the type ${String(item["type"])}`];
  const problems: string[] = [];
  const deltas = rest.filter(({ type }) => type === rules.delta);
  const expected = [...rules.opening, ...deltas.map(() => rules.delta), ...rules.closing, "response.output_item.done"];
  const types = rest.map(({ type }) => String(type));
  if (types.join() !== expected.join()) problems.push(`item ${index} has the events ${types.join()}`);
  if (events.some((event) => Reflect.get(event, "output_index") !== index)) problems.push(`item ${index} has another index`);
  if (rest.some((event) => (event["item_id"] ?? (event["item"] as Fields)["id"]) !== item["id"]))
    problems.push(`item ${index} changes its id`);
  const text = deltas.map(({ delta }) => String(delta)).join("");
  const closing = rest.find(({ type }) => type === rules.closing[0]);
  if ((closing?.["text"] ?? closing?.["arguments"] ?? closing?.["input"]) !== text)
    problems.push(`item ${index} has another text`);
  return problems;
}
