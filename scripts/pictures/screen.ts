/** A piece of a line in one style, from when to when it is seen. */
export type Piece = {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** `bold`, `dim`, and the name of a colour. */
  readonly style: string;
  readonly from: number;
  to: number;
};

const COLOURS: Readonly<Record<string, string>> = { "31": "red", "32": "green", "33": "yellow", "36": "cyan" };
/** Pieces that come within this time are one. */
const MERGE_MS = 60;
const CODE = /^\[(?<numbers>[0-9;?]*)(?<letter>[A-Za-z])/;

/** What a program has written to a terminal, as pieces with their times. It knows the codes that `cox` uses, and throws at any other. */
export class Screen {
  readonly pieces: Piece[] = [];
  durationMs = 0;
  private row = 0;
  private column = 0;
  private weight = "";
  private colour = "";

  write(output: string, at: number): void {
    const [beginning = "", ...rest] = output.split("\u001b");
    this.print(beginning, at);
    for (const part of rest) {
      const { letter = "", numbers = "" } = CODE.exec(part)?.groups ?? {};
      this.obey(letter, numbers, at);
      this.print(part.replace(CODE, ""), at);
    }
  }

  end(at: number): void {
    this.durationMs = at;
    for (const piece of this.pieces) piece.to = Math.min(piece.to, at);
  }

  private print(text: string, at: number): void {
    for (const part of text.split(/([\r\n])/)) {
      if (part === "\r") this.column = 0;
      else if (part === "\n") this.row += 1;
      else if (part !== "") this.add(part, at);
    }
  }

  private obey(letter: string, numbers: string, at: number): void {
    if (letter === "K") this.erase(at);
    else if (letter === "m") for (const number of numbers.split(";")) this.dress(number);
    else if (!numbers.startsWith("?")) throw new Error(`The picture knows no code ${numbers}${letter}.`);
  }

  private dress(number: string): void {
    if (number === "0" || number === "") this.weight = this.colour = "";
    else if (number === "1" || number === "2") this.weight = number === "1" ? "bold" : "dim";
    else if (number === "22") this.weight = "";
    else if (number === "39") this.colour = "";
    else if (COLOURS[number] !== undefined) this.colour = COLOURS[number];
    else throw new Error(`The picture knows no style ${number}.`);
  }

  private erase(at: number): void {
    for (const piece of this.pieces) if (piece.row === this.row && piece.to > at) piece.to = at;
    // What was seen for no time at all, or would only flicker.
    const seen = this.pieces.filter(({ from, to }) => to - from >= MERGE_MS / 2);
    this.pieces.splice(0, this.pieces.length, ...seen);
  }

  private add(text: string, at: number): void {
    const style = [this.weight, this.colour].filter((word) => word !== "").join(" ");
    const last = this.pieces.at(-1);
    if (text.trim() === "") {
      this.column += text.length;
      return;
    }
    const continues =
      last?.row === this.row && last.column + last.text.length === this.column && last.to === Number.POSITIVE_INFINITY;
    if (last !== undefined && continues && last.style === style && at - last.from < MERGE_MS) {
      this.pieces[this.pieces.length - 1] = { ...last, text: last.text + text };
    } else {
      this.pieces.push({ row: this.row, column: this.column, text, style, from: at, to: Number.POSITIVE_INFINITY });
    }
    this.column += text.length;
  }
}
