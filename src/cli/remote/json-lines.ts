import type { Socket } from "node:net";
import { isJsonObject, type JsonObject, parseJson } from "../../spec/json.ts";

export type LineReader = {
  act(line: JsonObject): void;
  /** Called with the bytes of each part of a line before it is kept; false if the rest of the connection is not read. */
  takes?(bytes: number): boolean;
};

/** Reads each object that the other side sends as a line of JSON; a line that is none closes the connection. */
export function onJsonLine(socket: Socket, { act, takes = () => true }: LineReader): void {
  let line = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    if (!takes(Buffer.byteLength(chunk))) {
      socket.removeAllListeners("data").resume();
      line = "";
      return;
    }
    const [first = "", ...others] = chunk.split("\n");
    line += first;
    for (const next of others) {
      const value = parseJson(line);
      line = next;
      if (isJsonObject(value)) act(value);
      else socket.destroy();
    }
  });
}

/** Sends an object as a line; false if the other side should read first. */
export function sendLine(socket: Socket, line: object): boolean {
  return socket.writable && socket.write(`${JSON.stringify(line)}\n`);
}
