import type { JsonObject } from "../../src/spec/json.ts";

/** Asks the model at an address, streamed or not, and gives what came back once it is whole. */
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
    const match = /^event: (\S+)\ndata: (.+)$/.exec(block);
    const data: JsonObject = JSON.parse(match?.[2] ?? "");
    if (data["type"] !== match?.[1]) throw new Error(`an event named ${match?.[1]} holds ${data["type"]}`);
    return data;
  });
}

/** The data of each event of a stream without names; the sign of the end, where a vendor has one, is left out. */
export function readDataEvents(stream: string): readonly JsonObject[] {
  const blocks = stream.split(/\r\n\r\n|\n\n/);
  if (blocks.pop() !== "") throw new Error("the stream ends within an event");
  return blocks
    .filter((block) => block !== "data: [DONE]")
    .map((block): JsonObject => JSON.parse(/^data: (.+)$/.exec(block)?.[1] ?? ""));
}
