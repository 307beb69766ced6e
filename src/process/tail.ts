/** Stores the last bytes of a stream. */
export class Tail {
  private readonly limit: number;
  private chunks: Uint8Array[] = [];
  private bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Adds the next bytes. */
  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.bytes += chunk.byteLength;
    if (this.bytes > this.limit * 16) this.trim();
  }

  /** Returns the stored bytes as text. */
  text(): string {
    if (this.bytes === 0) return "";
    this.trim();
    return Buffer.concat(this.chunks).toString("utf8");
  }

  private trim(): void {
    const kept = Buffer.concat(this.chunks).subarray(-this.limit);
    this.chunks = [Buffer.from(kept)];
    this.bytes = kept.byteLength;
  }
}
