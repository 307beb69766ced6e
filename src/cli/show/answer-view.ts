import type { Failure } from "../../spec/failure/failure.ts";
import type { PermissionDenied, RunEvent, ToolEnd } from "../../spec/wire/events.ts";
import { printFailure } from "../terminal/failure-lines.ts";
import { MarkdownWriter } from "../terminal/markdown/markdown-writer.ts";
import type { Screen } from "../terminal/screen.ts";
import { hang, wrapWords } from "../terminal/table.ts";
import { toTerminalText } from "../terminal/terminal-text.ts";
import { noteLine, outputLines } from "./note-line.ts";
import { type Chain, PolicyLines } from "./policy-lines.ts";

const LEFT_OUT = "! The text of the failed run was left out; --json has its last message as failure.partialText.";
const CANCELLED = "The run was cancelled, and its text was left out.";
const INDENT = 2;

type Besides = {
  readonly allowAdvice?: (denied: PermissionDenied) => string | undefined;
  readonly denied?: readonly string[];
  readonly hasOutput?: boolean;
};

/**
 * Shows a run to a person: the answer as text, tools and problems as notes. A terminal gets text as it arrives, rendered as Markdown
 * if the screen has a width for it. A file or a pipe gets the text when the run has succeeded, and nothing of a failed run.
 */
export class AnswerView {
  private readonly screen: Screen;
  private messageId: string | undefined;
  /** The messages that a file or a pipe gets when the run ends. */
  private held: { readonly messageId: string; readonly pieces: string[] }[] = [];
  private midLine = false;
  private owedNewlines = 0;
  private readonly policyLines: PolicyLines;
  private markdown: MarkdownWriter | undefined;

  /** Calls that the person refused; they need no advice. */
  private readonly refused = new Set<string>();
  private readonly besides: Besides;

  constructor(screen: Screen, chain: Chain, besides: Besides = {}) {
    this.screen = screen;
    this.besides = besides;
    this.policyLines = new PolicyLines(chain);
  }

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
        else if (this.held.length > 0 && event.failure.category !== "cancelled") this.note(LEFT_OUT);
        this.pause();
        if (event.failure !== undefined) this.showFailure(event.failure);
        break;
      case "retry":
      case "fallback":
      case "queue-wait":
        this.note(this.policyLines.lineFor(event));
        break;
      case "permission-denied":
        this.note([noteLine(event, this.width()), this.adviceFor(event)].filter(Boolean).join(" "));
        break;
      default: {
        // The line about the denial says it.
        if (event.type === "tool-end" && this.refused.has(event.id)) break;
        const line = noteLine(event, this.width());
        if (line !== undefined) this.note(line);
        if (event.type === "tool-end" && this.besides.hasOutput) this.showOutput(event);
      }
    }
  }

  /** `--allow-tool` does not help a tool that the user has denied: the denial wins. */
  private adviceFor(event: PermissionDenied): string | undefined {
    const { allowAdvice, denied = [] } = this.besides;
    const isOwn = this.refused.has(event.id) || denied.some((entry) => entry.split("(")[0] === event.name);
    return isOwn ? undefined : allowAdvice?.(event);
  }

  private showOutput({ output }: ToolEnd): void {
    for (const line of outputLines(output)) this.screen.note(`${this.screen.noteColors.dim(`# ${line}`)}\n`);
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
    printFailure(this.screen, { ...failure, message: this.messageOf(failure) });
  }

  private messageOf({ category, message }: Failure): string {
    if (category === "cancelled") return this.held.length === 0 ? message : CANCELLED;
    const name = this.policyLines.lastAsked();
    return name === undefined ? message : `${name}: ${message}`;
  }

  /** The width of a note; undefined where it is not wrapped. */
  private width(): number | undefined {
    const width = this.screen.noteWidth?.();
    return width && width - INDENT;
  }

  private note(line: string): void {
    const { noteColors, isTerminal } = this.screen;
    if (isTerminal) this.pause();
    const width = this.width();
    const lines = hang("", width === undefined ? [line] : wrapWords(line, width), INDENT);
    for (const each of lines) this.screen.note(`${noteColors.dim(each)}\n`);
  }

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
