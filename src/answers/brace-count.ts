/** Follows the brackets of a JSON value while it streams in, to know where it ends. */
export class BraceCount {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** Other quotes than JSON's may hide brackets: such a value never counts as complete. */
  isLost = false;
  isComplete = false;

  /** Returns how many characters of the piece belong to the value. */
  take(piece: string): number {
    if (this.isLost) return piece.length;
    for (let index = 0; index < piece.length; index += 1) {
      this.step(piece[index] ?? "");
      if (this.isComplete) return index + 1;
    }
    return piece.length;
  }

  private step(character: string): void {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (character === "\\") this.isEscaped = true;
      else if (character === '"') this.isInString = false;
    } else if (character === '"') this.isInString = true;
    else if ("'`“”‘’/".includes(character)) this.isLost = true;
    else if (character === "{" || character === "[") this.depth += 1;
    else if (character === "}" || character === "]") {
      this.depth -= 1;
      this.isComplete = this.depth === 0 && !this.isLost;
    }
  }
}
