import type { RunEvent, ToolEnd } from "../../spec/events.ts";
import { failureLines } from "./failure-lines.ts";
import type { Screen } from "./screen.ts";
import { toDuration, toOneLine, toTerminalText } from "./terminal-text.ts";

/** Shows a run to a person as it happens: the answer as text, tools and trouble as notes. */
export class AnswerView {
  private readonly screen: Screen;
  private messageId: string | undefined;
  /** Something stands on the line where the next text would go. */
  private midLine = false;
  private owedNewlines = 0;

  constructor(screen: Screen) {
    this.screen = screen;
  }

  /** Takes the next event. */
  show(event: RunEvent): void {
    if (event.parentToolId !== undefined && event.type !== "tool-end") return;
    switch (event.type) {
      case "text-delta":
        this.showText(event.messageId, event.text);
        break;
      case "text-reset":
        if (event.messageId === this.messageId) this.note("The CLI started its answer anew; what follows replaces the text above.");
        break;
      case "tool-end":
        this.note(toolLine(event));
        break;
      case "permission-denied":
        this.note(`⊘ ${event.name} was not allowed: ${toOneLine(JSON.stringify(event.input), 80)}`);
        break;
      case "warning":
        this.note(`! ${toOneLine(event.message, 200)}`);
        break;
      case "upstream-retry":
        this.note(retryLine(event));
        break;
      case "retry":
        this.note(`↻ ${toOneLine(event.failure.message, 120)} Trying again in ${toDuration(event.delayMs)}.`);
        break;
      case "fallback":
        this.note(`↷ ${toOneLine(event.failure.message, 120)} Trying ${event.to} instead of ${event.from}.`);
        break;
      case "run-end":
        this.finish(event);
        break;
    }
  }

  private showText(messageId: string, text: string): void {
    if (messageId !== this.messageId && this.messageId !== undefined) this.owedNewlines = this.midLine ? 2 : 0;
    this.messageId = messageId;
    const shown = this.screen.isTerminal ? toTerminalText(text) : text;
    const body = shown.replace(/\n+$/, "");
    if (body !== "") {
      this.screen.out("\n".repeat(this.owedNewlines) + body);
      this.owedNewlines = 0;
      this.midLine = true;
    }
    this.owedNewlines += shown.length - body.length;
  }

  private note(line: string): void {
    if (this.screen.isTerminal) this.endLine();
    this.screen.note(`${this.screen.noteColors.dim(line)}\n`);
  }

  private finish(event: Extract<RunEvent, { type: "run-end" }>): void {
    this.endLine();
    if (event.failure !== undefined) this.screen.note(failureLines(event.failure, this.screen.noteColors));
  }

  private endLine(): void {
    if (this.midLine) this.screen.out("\n");
    this.midLine = false;
    this.owedNewlines = 0;
  }
}

function toolLine(event: ToolEnd): string {
  const input = toOneLine(JSON.stringify(event.input), 80);
  const outcome = event.synthetic === true ? "no result" : `${event.isError ? "✗ " : ""}${toDuration(event.durationMs)}`;
  return `⚙ ${toOneLine(event.name, 60)} ${input} → ${outcome}`;
}

function retryLine(event: Extract<RunEvent, { type: "upstream-retry" }>): string {
  const reason = [event.reason, event.status].filter((part) => part !== undefined).join(" ");
  const limit = event.maxAttempts === undefined ? "" : ` of ${event.maxAttempts}`;
  const delay = event.delayMs === undefined ? "" : ` in ${toDuration(event.delayMs)}`;
  return `↻ The CLI tries again${delay} (${event.attempt}${limit})${reason === "" ? "" : `: ${toOneLine(reason, 80)}`}`;
}
