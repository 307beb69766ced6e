import type { PermissionDenied, RunEvent } from "../../spec/events.ts";
import type { Failure } from "../../spec/failure.ts";
import { failureLines } from "./failure-lines.ts";
import { MarkdownWriter } from "./markdown/markdown-writer.ts";
import { allowAdvice, noteLine } from "./note-line.ts";
import { type Chain, PolicyLines } from "./policy-lines.ts";
import type { Screen } from "./screen.ts";
import { wrapWords } from "./table.ts";
import { toTerminalText } from "./terminal-text.ts";

const LEFT_OUT = "! The text of the failed run was left out; --json has its last message as failure.partialText.";
const INDENT = "  ";

/** Whether the line about a denied call names the option that allows it, and the patterns that the user has denied. */
type Advice = { readonly namesFlags?: boolean; readonly denied?: readonly string[] };

/**
 * Shows a run to a person: the answer as text, tools and problems as notes. A terminal gets text as it arrives, rendered as Markdown
 * if the screen has a width for it. A file or a pipe gets the text when the run has succeeded, and nothing of a failed run.
 */
export class AnswerView {
  private readonly screen: Screen;
  private messageId: string | undefined;
  /** The messages that a file or a pipe gets when the run ends. */
  private held: { readonly messageId: string; readonly pieces: string[] }[] = [];
  /** True when the current line already has text. */
  private midLine = false;
  private owedNewlines = 0;
  private readonly policyLines: PolicyLines;
  private markdown: MarkdownWriter | undefined;

  /** Calls that the person refused; they need no advice. */
  private readonly refused = new Set<string>();
  private readonly advice: Advice;

  constructor(screen: Screen, chain: Chain, advice: Advice = {}) {
    this.screen = screen;
    this.advice = advice;
    this.policyLines = new PolicyLines(chain);
  }

  /** Handles the next event. */
  show(event: RunEvent): void {
    switch (event.type) {
      case "text-delta":
        if (event.parentToolId === undefined) this.takeText(event.messageId, event.text);
        break;
      case "text-reset":
        this.held = this.held.filter(({ messageId }) => messageId !== event.messageId);
        if (event.messageId === this.messageId)
          this.note("The CLI restarted its answer. The following text replaces the text above.");
        break;
      case "run-end":
        if (event.failure === undefined) this.showHeld();
        else if (this.held.length > 0) this.note(LEFT_OUT);
        this.pause();
        if (event.failure !== undefined) this.showFailure(event.failure);
        break;
      case "retry":
      case "fallback":
      case "queue-wait":
        this.note(this.policyLines.lineFor(event));
        break;
      case "permission-denied":
        this.note(`${noteLine(event)}${this.needsAdvice(event) ? ` ${allowAdvice(event.name)}` : ""}`);
        break;
      default: {
        const line = noteLine(event);
        if (line !== undefined) this.note(line);
      }
    }
  }

  /** `--allow-tool` does not help a tool that the user has denied: the denial wins. */
  private needsAdvice({ id, name }: PermissionDenied): boolean {
    const { namesFlags = false, denied = [] } = this.advice;
    return namesFlags && !this.refused.has(id) && !denied.some((entry) => entry.split("(")[0] === name);
  }

  private takeText(messageId: string, text: string): void {
    if (this.screen.isTerminal) return this.showText(messageId, text);
    const last = this.held.at(-1);
    if (last?.messageId === messageId) last.pieces.push(text);
    else this.held.push({ messageId, pieces: [text] });
  }

  private showHeld(): void {
    for (const { messageId, pieces } of this.held) this.showText(messageId, pieces.join(""));
    this.held = [];
  }

  private showText(messageId: string, text: string): void {
    if (messageId !== this.messageId) this.beginMessage(messageId);
    const shown = this.screen.isTerminal ? toTerminalText(text) : text;
    this.print(this.markdown?.write(shown) ?? shown);
  }

  private beginMessage(messageId: string): void {
    const { markdownWidth, outColors } = this.screen;
    if (this.messageId !== undefined) {
      this.print(this.markdown?.flush() ?? "");
      this.owedNewlines = this.midLine ? 2 : 0;
    }
    this.messageId = messageId;
    this.markdown = markdownWidth === undefined ? undefined : new MarkdownWriter(outColors, markdownWidth);
  }

  private print(shown: string): void {
    const body = shown.replace(/\n+$/, "");
    if (body !== "") {
      this.screen.out("\n".repeat(this.owedNewlines) + body);
      this.owedNewlines = 0;
      this.midLine = true;
    }
    this.owedNewlines += shown.length - body.length;
  }

  private showFailure(failure: Failure): void {
    const name = failure.category === "cancelled" ? undefined : this.policyLines.lastAsked();
    const message = name === undefined ? failure.message : `${name}: ${failure.message}`;
    this.screen.note(failureLines({ ...failure, message }, this.screen.noteColors, this.screen.noteWidth?.()));
  }

  private note(line: string): void {
    const { noteWidth, noteColors, isTerminal } = this.screen;
    if (isTerminal) this.pause();
    const [first = "", ...rest] = noteWidth === undefined ? [line] : wrapWords(line, noteWidth() - INDENT.length);
    for (const each of [first, ...rest.map((more) => INDENT + more)]) this.screen.note(`${noteColors.dim(each)}\n`);
  }

  /** Remembers that the person refused this call. */
  wasRefused(id: string): void {
    this.refused.add(id);
  }

  /** Shows all text so far and ends the line. */
  pause(): void {
    this.print(this.markdown?.flush() ?? "");
    if (this.midLine) this.screen.out("\n");
    this.midLine = false;
    this.owedNewlines = 0;
  }
}
