import { DEMO_RETRIES } from "../demo/acts.ts";
import type { Act, Verdict } from "../demo/play-act.ts";
import { AnswerView } from "./answer-view.ts";
import { indentedScreen, type Screen } from "./screen.ts";
import { commandLines, wrapWords } from "./table.ts";
import { textWidth } from "./text-width.ts";

const INDENT = "   ";
const WIDEST = 84;

/** Shows the demo: for each act a heading, the command, its real output, and the verdict. */
export class DemoView {
  private readonly screen: Screen;
  /** The width of the text, without the indent. */
  private readonly width: number;

  constructor(screen: Screen, pageWidth: number) {
    this.screen = screen;
    this.width = Math.min(pageWidth, WIDEST) - INDENT.length;
  }

  /** Prints the introduction. */
  opening(): void {
    const { bold, dim } = this.screen.outColors;
    this.screen.out(`${bold("Coxswain, a demonstration")}\n`);
    const about = "Each example runs the rehearsal CLI as a real process. It needs no account.";
    for (const line of wrapWords(about, this.width + INDENT.length)) this.screen.out(`${dim(line)}\n`);
  }

  /** Prints the heading of an act; returns the view for its events. */
  act(act: Act, number: number): AnswerView {
    const { bold, cyan, dim } = this.screen.outColors;
    const [title = "", ...more] = wrapWords(act.title, this.width);
    this.screen.out(`\n${bold(`${number}  ${title}`)}\n`);
    for (const line of more) this.screen.out(`${INDENT}${bold(line)}\n`);
    if (act.file !== undefined) this.screen.out(`${INDENT}${dim("$")} ${cyan(`cat ${act.file.name}`)}\n`);
    for (const line of act.file?.content.split("\n") ?? []) this.screen.out(`${INDENT}${dim(line)}\n`);
    for (const [index, line] of commandLines(`cox ${act.command.join(" ")}`, this.width - 2).entries()) {
      this.screen.out(`${INDENT}${index === 0 ? dim("$") : " "} ${cyan(line)}\n`);
    }
    const chain = { targets: act.targets, attempts: DEMO_RETRIES + 1 };
    return new AnswerView(indentedScreen(this.screen, INDENT, this.width), chain);
  }

  /** Prints the verdict of an act. */
  verdict({ isRight, line }: Verdict): void {
    const { green, red, dim } = this.screen.outColors;
    const [first = "", ...rest] = wrapWords(isRight ? line : `unexpected result: ${line}`, this.width - 2, true);
    this.screen.out(`${INDENT}${isRight ? green("✓") : red("✗")} ${isRight ? dim(first) : red(first)}\n`);
    for (const each of rest) this.screen.out(`${INDENT}  ${isRight ? dim(each) : red(each)}\n`);
  }

  /** Prints the overall result and the next steps. */
  closing(isRight: boolean): void {
    const { bold, cyan, dim, red } = this.screen.outColors;
    const rows = [
      ['cox ask "What does a coxswain do?"', "the same with a CLI that you are logged in to"],
      ["cox providers", "which CLIs are installed, and how to install the others"],
      ["cox ask --help", "all options; the documentation is in the folder docs"],
    ] as const;
    const aside = rows.map(([command, meaning]) => `  ${cyan(command.padEnd(36))} ${dim(meaning)}`);
    const below = rows.flatMap(([command, meaning]) => [
      `  ${cyan(command)}`,
      ...wrapWords(meaning, this.width - 1).map((line) => `    ${dim(line)}`),
    ]);
    const page = this.width + INDENT.length;
    const next = aside.every((line) => textWidth(line) <= page) ? aside : below;
    const verdict = isRight
      ? bold("All eight examples gave the expected result. Next:")
      : red("Some examples gave an unexpected result.");
    this.screen.out(`\n${verdict}\n${next.join("\n")}\n`);
  }
}
