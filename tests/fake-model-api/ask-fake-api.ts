import type { JsonObject } from "../../src/spec/json.ts";

/** Sends a model request to an address and returns the complete response, streamed or not. */
export async function askFakeApi(address: string, body: JsonObject): Promise<{ response: Response; text: string }> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ model: "model-1", ...body }),
  });
  return { response, text: await response.text() };
}

/** The data of each event of a stream; an event whose name is not the type of its data is an error. */
export function readServerSentEvents(stream: string): readonly JsonObject[] {
  const blocks = stream.split("\n\n");
  if (blocks.pop() !== "") throw new Error("the stream ends within an event");
  return blocks.map((block) => {
    // A pattern that takes the data too exceeds the stack with megabytes of it.
    const [start = "", name] = /^event: (\S+)\ndata: /.exec(block) ?? [];
    const data: JsonObject = JSON.parse(block.slice(start.length));
    if (data["type"] !== name) throw new Error(`an event named ${name} holds ${data["type"]}`);
    return data;
  });
}

/** The data of each event of a stream without names; an end marker such as `[DONE]` is left out. */
export function readDataEvents(stream: string): readonly JsonObject[] {
  const blocks = stream.split(/\r\n\r\n|\n\n/);
  if (blocks.pop() !== "") throw new Error("the stream ends within an event");
  return blocks
    .filter((block) => block !== "data: [DONE]")
    .map((block): JsonObject => JSON.parse(/^data: (.+)$/.exec(block)?.[1] ?? ""));
}
