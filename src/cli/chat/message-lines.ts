const FENCE = /^\s*(`{3,}|~{3,})/;

/** Makes messages of lines: a line that ends with a backslash, an open code block and a paste go on in the next line. */
export class MessageLines {
  private lines: string[] = [];
  private fence: string | undefined;

  /** Adds a line; returns the message if it is complete. */
  add(line: string, isPasting = false): string | undefined {
    const [, mark] = FENCE.exec(line) ?? [];
    if (this.fence === undefined) this.fence = mark;
    else if (mark?.startsWith(this.fence) === true && line.trim() === mark) this.fence = undefined;
    const goesOn = this.fence === undefined && !isPasting && line.endsWith("\\");
    this.lines.push(goesOn ? line.slice(0, -1) : line);
    return goesOn || isPasting || this.fence !== undefined ? undefined : this.take();
  }

  /** True if the beginning of a message is waiting for the rest. */
  isOpen(): boolean {
    return this.lines.length > 0;
  }

  /** Returns what was added so far and begins a new message. */
  take(): string {
    const message = this.lines.join("\n");
    this.lines = [];
    this.fence = undefined;
    return message;
  }
}
