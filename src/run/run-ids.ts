/** What is numbered through one run, however many layers it has: its processes, and the parts whose ids have to be told apart. */
export class RunIds {
  private readonly mint: () => string;
  private id: string | undefined;
  private taken = 0;
  private parts = 1;

  constructor(mint: () => string) {
    this.mint = mint;
  }

  /** The id of the run. */
  get first(): string {
    this.id ??= this.mint();
    return this.id;
  }

  /** A number from 2 on that no other part of the run has. */
  nextPart(): number {
    this.parts += 1;
    return this.parts;
  }

  /** The id of its next process: the first has the id of the run itself, and the others begin with it. */
  take(): string {
    this.taken += 1;
    return this.taken === 1 ? this.first : `${this.first}+${this.taken}`;
  }
}
