import { canMoveCursor, type Screen } from "./screen.ts";
import { toUnbrokenText } from "./terminal-text.ts";
import { cutToWidth, textWidth } from "./text-width.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** A sign that is gone at once would only flicker. */
const FIRST_MS = 200;
const CLEAR = "\r\u001b[2K";

/** Whether a waiting sign is shown: only to a person at a terminal, and never in CI. */
export function showsWaitingSign(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return canMoveCursor(stream) && !env["CI"];
}

/** A line on stderr that says what is waited for, and the seconds so far; it leaves no trace. */
export class WaitingSign {
  private readonly screen: Screen;
  private readonly width: () => number;
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly words: () => string;
  private frame = 0;
  private isPainted = false;

  constructor(screen: Screen, words: () => string, width: () => number) {
    this.screen = screen;
    this.words = words;
    this.width = width;
    this.timer = setInterval(() => this.paint(), FRAME_MS).unref();
    process.once("exit", this.stop);
  }

  /** Returns the screen with its notes in place of the sign; the first text of the answer ends the sign. */
  behind(): Screen {
    const { screen } = this;
    return {
      ...screen,
      out: (text) => {
        this.stop();
        screen.out(text);
      },
      note: (text) => {
        this.clear();
        screen.note(text);
      },
    };
  }

  readonly stop = (): void => {
    clearInterval(this.timer);
    this.clear();
    process.off("exit", this.stop);
  };

  private paint(): void {
    const waitedMs = performance.now() - this.startedAt;
    if (waitedMs < FIRST_MS) return;
    const frame = FRAMES[this.frame++ % FRAMES.length] ?? "";
    const seconds = ` · ${Math.floor(waitedMs / 1000)} s`;
    const words = cutToWidth(toUnbrokenText(this.words()), this.width() - 1 - textWidth(frame + seconds) - 1);
    this.isPainted = true;
    this.screen.note(`${CLEAR}${this.screen.noteColors.dim(`${frame} ${words}${seconds}`)}`);
  }

  private clear(): void {
    if (this.isPainted) this.screen.note(CLEAR);
    this.isPainted = false;
  }
}
