import type { JsonValue } from "../../spec/json.ts";
import type { ExitReport, Wire } from "../../spec/wire/wire.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import type { OpenTurns } from "./open-turns.ts";

/** Splits the stdout of a channel into native values and tells its open turns about each chunk. */
export class ChunkReader {
  private readonly open: OpenTurns;
  private readonly reader: NativeReader;
  private values = 0;

  constructor({ framing, readLine }: Wire, lineBytes: number, open: OpenTurns, deliver: (native: JsonValue) => void) {
    this.open = open;
    this.reader = createNativeReader(framing, {
      lineBytes,
      onValue: (native) => {
        this.values += 1;
        deliver(native);
      },
      onDropped: (line) => open.notify((sink) => sink.onDropped(line)),
      ...(readLine !== undefined && { readLine }),
    });
  }

  readonly read = (chunk: Uint8Array): void => {
    this.open.notify((sink) => sink.onRead());
    const before = this.values;
    this.guard(() => this.reader.push(chunk));
    this.open.notify((sink) => sink.onReadEnd(chunk.byteLength, this.values > before));
  };

  /** Reads what is left, and ends the open turns. */
  end(exit: ExitReport): void {
    this.open.notify((sink) => sink.onRead());
    this.guard(() => this.reader.end());
    this.open.notify((sink) => sink.onEnd(exit));
  }

  /** Output that cannot be read, by the wire or because a line exceeds the longest string, fails the open turns. */
  private guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.open.notify((sink) => sink.onBroken(error));
    }
  }
}
