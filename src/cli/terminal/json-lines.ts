import type { Socket } from "node:net";
import type { JsonObject } from "../../spec/json.ts";
import { isJsonObject } from "../../spec/json.ts";
import { parseJson } from "../../spec/parse-json.ts";

/** Calls back with each object that the other side sends as a line of JSON; a line that is none closes the connection. */
export function onJsonLine(socket: Socket, act: (line: JsonObject) => void): void {
  let pieces: string[] = [];
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...others] = chunk.split("\n");
    pieces.push(first);
    for (const next of others) {
      const line = parseJson(pieces.join(""));
      pieces = [next];
      if (isJsonObject(line)) act(line);
      else socket.destroy();
    }
  });
}

/** Sends an object as a line; false if the other side should read first. */
export function sendLine(socket: Socket, line: object): boolean {
  return socket.writable && socket.write(`${JSON.stringify(line)}\n`);
}
