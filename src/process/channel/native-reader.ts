import { isAscii } from "node:buffer";
import { isJsonObject, isTooDeep, type JsonValue, LONGEST_NOISE, parseJson } from "../../spec/json.ts";
import type { OutputFormat, Wire } from "../../spec/wire/wire.ts";
import { stripTerminalCodes } from "../child/strip-terminal-codes.ts";

/** A line (or document) that was not read, and the limit that it exceeds. */
export type DroppedLine = { readonly bytes: number } & (
  | { readonly limit: "length"; readonly lineBytes: number }
  | { readonly limit: "depth" }
);

export type NativeReaderOptions = {
  /** A line (or document) longer than this is dropped and reported, and so is one that is nested too deeply (`DEEPEST_JSON`). */
  readonly lineBytes: number;
  readonly onValue: (native: JsonValue) => void;
  readonly onDropped: (line: DroppedLine) => void;
  /** The wire's own reader of frequent lines. */
  readonly readLine?: Wire["readLine"] | undefined;
};

/** Splits stdout into native values; never throws. The result does not depend on the chunk boundaries. */
export type NativeReader = { push(chunk: Uint8Array): void; end(): void };

const NEWLINE = 10;
const TOO_DEEP = Symbol("too deep");
type Read = JsonValue | typeof TOO_DEEP;

/** Creates the reader of a format: JSON lines, one JSON document, or plain text. */
export function createNativeReader(format: OutputFormat, options: NativeReaderOptions): NativeReader {
  if (format === "stream-json") return new LineReader(options);
  const readWhole = format === "json" ? readDocument : stripTerminalCodes;
  return new WholeReader(options, readWhole);
}

class LineReader implements NativeReader {
  private readonly options: NativeReaderOptions;
  private carried: Buffer[] = [];
  private carriedBytes = 0;

  constructor(options: NativeReaderOptions) {
    this.options = options;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const first = bytes.indexOf(NEWLINE);
    if (first === -1) return this.carry(bytes);
    let from = 0;
    if (this.carriedBytes > 0) {
      this.readCarried(bytes.subarray(0, first));
      from = first + 1;
    }
    const last = bytes.lastIndexOf(NEWLINE) + 1;
    if (bytes.length > this.options.lineBytes) this.readEach(bytes.subarray(from, last));
    else if (from < last) this.readTogether(bytes, from, last);
    if (last < bytes.length) this.carry(bytes.subarray(last));
  }

  end(): void {
    if (this.carriedBytes > 0) this.readCarried(Buffer.alloc(0));
  }

  private carry(rest: Buffer): void {
    this.carriedBytes += rest.length;
    if (this.carriedBytes > this.options.lineBytes) this.carried = [];
    else this.carried.push(rest);
  }

  private readCarried(last: Buffer): void {
    this.carry(last);
    const [line, length] = [this.carried, this.carriedBytes];
    this.carried = [];
    this.carriedBytes = 0;
    if (length > this.options.lineBytes) this.options.onDropped(tooLong(length, this.options));
    else this.emitLine(Buffer.concat(line, length).toString("utf8"));
  }

  /**
   * Decodes several complete lines at once, which is a third faster than line by line; no UTF-8 character contains a newline
   * byte.
   */
  private readTogether(bytes: Buffer, from: number, to: number): void {
    const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8", from, to);
    let start = 0;
    for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", start)) {
      this.emitLine(text.slice(start, newline));
      start = newline + 1;
    }
  }

  private readEach(bytes: Buffer): void {
    let from = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, from)) {
      this.readLine(bytes.subarray(from, newline));
      from = newline + 1;
    }
  }

  private readLine(line: Buffer): void {
    if (line.length > this.options.lineBytes) this.options.onDropped(tooLong(line.length, this.options));
    else this.emitLine(line.toString("utf8"));
  }

  private emitLine(line: string): void {
    const native = this.options.readLine?.(line) ?? readLine(line);
    if (native === TOO_DEEP) this.options.onDropped({ bytes: Buffer.byteLength(line), limit: "depth" });
    else if (native !== undefined) this.options.onValue(native);
  }
}

class WholeReader implements NativeReader {
  private readonly options: NativeReaderOptions;
  private readonly read: (text: string) => Read;
  private chunks: Buffer[] = [];
  private bytes = 0;

  constructor(options: NativeReaderOptions, read: (text: string) => Read) {
    this.options = options;
    this.read = read;
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.options.lineBytes) this.chunks = [];
    else this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }

  end(): void {
    const { bytes } = this;
    if (bytes > this.options.lineBytes) return this.options.onDropped(tooLong(bytes, this.options));
    const text = withoutByteOrderMark(Buffer.concat(this.chunks).toString("utf8"));
    if (text.trim() === "") return;
    const native = this.read(text);
    if (native === TOO_DEEP) this.options.onDropped({ bytes, limit: "depth" });
    else this.options.onValue(native);
  }
}

function tooLong(bytes: number, { lineBytes }: NativeReaderOptions): DroppedLine {
  return { bytes, limit: "length", lineBytes };
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** A JSON object, the cleaned text of any other line, or undefined for a blank line. */
function readLine(line: string): Read | undefined {
  const value = line.startsWith("{") ? parseJson(line) : undefined;
  if (isJsonObject(value)) return value;
  const inner = unwrap(line, "{", "}");
  const wrapped = inner === undefined ? undefined : parseJson(inner);
  if (isJsonObject(wrapped)) return wrapped;
  if (inner !== undefined && isTooDeep(inner)) return TOO_DEEP;
  const cleaned = stripTerminalCodes(line.slice(0, LONGEST_NOISE)).trim();
  return cleaned === "" ? undefined : cleaned;
}

function readDocument(text: string): Read {
  const whole = parseJson(text.trim());
  if (isObjectOrList(whole)) return whole;
  const inner = [unwrap(text, "{", "}"), unwrap(text, "[", "]")].filter((part) => part !== undefined);
  const wrapped = inner.map(parseJson).find(isObjectOrList);
  if (wrapped !== undefined) return wrapped;
  return inner.some(isTooDeep) ? TOO_DEEP : stripTerminalCodes(text.slice(0, LONGEST_NOISE)).trim();
}

/** The part of a text that may be JSON, without the blanks, the byte order mark and the terminal codes around it. */
function unwrap(text: string, open: string, close: string): string | undefined {
  const [from, to] = [text.indexOf(open), text.lastIndexOf(close) + 1];
  if (from === -1 || to <= from) return undefined;
  const around = [text.slice(0, from), text.slice(to)].map((edge) => stripTerminalCodes(edge.slice(0, LONGEST_NOISE)).trim());
  return around.join("") === "" ? text.slice(from, to) : undefined;
}

function isObjectOrList(value: JsonValue | undefined): value is JsonValue {
  return typeof value === "object" && value !== null;
}
