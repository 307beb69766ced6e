import { DEMO_RETRIES } from "../demo/acts.ts";
import type { Act, Verdict } from "../demo/play-act.ts";
import { AnswerView } from "./answer-view.ts";
import { indentedScreen, type Screen } from "./screen.ts";

const INDENT = "   ";
const WIDTH = 84;

/** Shows the demo: for each act a heading, the command, its real output, and the verdict. */
export class DemoView {
  private readonly screen: Screen;

  constructor(screen: Screen) {
    this.screen = screen;
  }

  /** Prints the introduction. */
  opening(): void {
    const { bold, dim } = this.screen.outColors;
    this.screen.out(`${bold("Coxswain, a demonstration")}\n`);
    this.screen.out(`${dim("Each example runs the rehearsal CLI as a real process. It needs no account.")}\n`);
  }

  /** Prints the heading of an act; returns the view for its events. */
  act(act: Act, number: number): AnswerView {
    const { bold, cyan, dim } = this.screen.outColors;
    this.screen.out(`\n${bold(`${number}  ${act.title}`)}\n`);
    if (act.file !== undefined) this.screen.out(`${INDENT}${dim("$")} ${cyan(`cat ${act.file.name}`)}\n`);
    for (const line of act.file?.content.split("\n") ?? []) this.screen.out(`${INDENT}${dim(line)}\n`);
    this.screen.out(`${INDENT}${dim("$")} ${cyan(`cox ${act.command.join(" ")}`)}\n`);
    const chain = { targets: act.targets, attempts: DEMO_RETRIES + 1 };
    return new AnswerView(indentedScreen(this.screen, INDENT, WIDTH), chain);
  }

  /** Prints the verdict of an act. */
  verdict({ isRight, line }: Verdict): void {
    const { green, red, dim } = this.screen.outColors;
    this.screen.out(`${INDENT}${isRight ? green("✓") : red("✗ unexpected result:")} ${isRight ? dim(line) : line}\n`);
  }

  /** Prints the overall result and the next steps. */
  closing(isRight: boolean): void {
    const { bold, cyan, dim, red } = this.screen.outColors;
    const rows = [
      ['cox ask "What does a coxswain do?"', "the same with a CLI that you are logged in to"],
      ["cox providers", "which CLIs are installed, and how to install the others"],
      ["cox ask --help", "all options; the documentation is in the folder docs"],
    ] as const;
    const next = rows.map(([command, meaning]) => `  ${cyan(command.padEnd(36))} ${dim(meaning)}`);
    this.screen.out(
      `\n${isRight ? bold("All eight examples gave the expected result. Next:") : red("Some examples gave an unexpected result.")}\n${next.join("\n")}\n`,
    );
  }
}
