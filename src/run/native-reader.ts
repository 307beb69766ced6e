import { stripVTControlCharacters } from "node:util";
import type { JsonValue } from "../spec/json.ts";
import type { OutputFormat } from "../spec/provider.ts";

/** Who is told what was read. */
export type NativeReaderOptions = {
  /** A line (or document) longer than this is dropped and reported. */
  readonly lineBytes: number;
  readonly onValue: (native: JsonValue) => void;
  readonly onDropped: (bytes: number) => void;
};

/** Cuts stdout into native values; never throws, and how the bytes were split makes no difference. */
export type NativeReader = { push(chunk: Uint8Array): void; end(): void };

const NEWLINE = 10;
const LONGEST_NOISE = 65_536;

/** Makes the reader of a format: JSON lines, one JSON document, or plain text. */
export function createNativeReader(format: OutputFormat, options: NativeReaderOptions): NativeReader {
  if (format === "stream-json") return new LineReader(options);
  const readWhole = format === "json" ? readDocument : (text: string) => text;
  return new WholeReader(options, readWhole);
}

class LineReader implements NativeReader {
  private readonly options: NativeReaderOptions;
  private carried: Buffer[] = [];
  private carriedBytes = 0;
  private atStart = true;

  constructor(options: NativeReaderOptions) {
    this.options = options;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, from)) {
      if (this.carriedBytes > 0) this.readCarried(bytes.subarray(from, newline));
      else this.readLine(bytes, from, newline);
      from = newline + 1;
    }
    if (from < bytes.length) this.carry(bytes.subarray(from));
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
    if (length > this.options.lineBytes) this.options.onDropped(length);
    else this.readLine(Buffer.concat(line, length), 0, length);
  }

  private readLine(bytes: Buffer, from: number, to: number): void {
    if (to - from > this.options.lineBytes) return this.options.onDropped(to - from);
    let text = bytes.toString("utf8", from, to);
    if (this.atStart) text = withoutByteOrderMark(text);
    this.atStart = false;
    const native = readLine(text);
    if (native !== undefined) this.options.onValue(native);
  }
}

class WholeReader implements NativeReader {
  private readonly options: NativeReaderOptions;
  private readonly read: (text: string) => JsonValue;
  private chunks: Buffer[] = [];
  private bytes = 0;

  constructor(options: NativeReaderOptions, read: (text: string) => JsonValue) {
    this.options = options;
    this.read = read;
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.options.lineBytes) this.chunks = [];
    else this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }

  end(): void {
    if (this.bytes > this.options.lineBytes) return this.options.onDropped(this.bytes);
    const text = stripVTControlCharacters(withoutByteOrderMark(Buffer.concat(this.chunks).toString("utf8")));
    if (text.trim() !== "") this.options.onValue(this.read(text));
  }
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** An object, the cleaned text of a line that is no object, or nothing for a blank line. */
function readLine(line: string): JsonValue | undefined {
  if (line.startsWith("{")) {
    const value = parse(line);
    if (isObject(value)) return value;
  }
  const cleaned = stripVTControlCharacters(line).trim();
  if (cleaned === "") return undefined;
  const value = cleaned.startsWith("{") ? parse(cleaned) : undefined;
  return isObject(value) ? value : cleaned.slice(0, LONGEST_NOISE);
}

function readDocument(text: string): JsonValue {
  const value = parse(text.trim());
  return isObject(value) || Array.isArray(value) ? value : text.trim().slice(0, LONGEST_NOISE);
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
