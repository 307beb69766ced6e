import { createInterface, type Interface } from "node:readline";

export type ChatInput = {
  /** The next message; undefined at its end (Ctrl-D). */
  next(prompt: string): Promise<string | undefined>;
  close(): void;
};

type Streams = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };

const MORE = "… ";
const MOST_HISTORY = 500;
const [PASTE_ON, PASTE_OFF] = ["\u001b[?2004h", "\u001b[?2004l"];

/**
 * Reads messages at a terminal with a line editor. Between messages the terminal is in its normal mode, so that Ctrl-C is a signal
 * while an answer is shown. What was typed ahead of a prompt is typed into it. `earlier` are the first entries of the history, the newest
 * last.
 */
export function terminalInput({ input, output }: Streams, earlier: readonly string[], onIdleInterrupt: () => void): ChatInput {
  let editor: Interface | undefined;
  let history = earlier.filter((line) => !line.includes("\n")).toReversed();
  let typedAhead = "";
  const next = async (prompt: string): Promise<string | undefined> => {
    const lines = new MessageLines();
    let isPasting = false;
    const onKey = (_: string | undefined, key: { readonly name?: string | undefined } = {}): void => {
      if (key.name === "paste-start") isPasting = true;
      if (key.name === "paste-end") isPasting = false;
    };
    const current = createInterface({ input, output, prompt, terminal: true, history: [...history], historySize: MOST_HISTORY });
    editor = current;
    input.prependListener("keypress", onKey);
    output.write(PASTE_ON);
    try {
      return await new Promise<string | undefined>((resolve) => {
        let isComplete = false;
        current.on("history", (entries: string[]) => {
          if (!isComplete) history = [...entries];
        });
        current.on("line", (line) => {
          // The terminal delivers all lines that it has at once.
          if (isComplete) {
            typedAhead += `${line}\n`;
            return;
          }
          const message = lines.add(line, isPasting);
          isComplete = message !== undefined;
          if (message !== undefined) return resolve(message);
          current.setPrompt(MORE);
          current.prompt();
        });
        current.on("SIGINT", () => restart(current, lines, prompt, onIdleInterrupt));
        current.on("close", () => resolve(isComplete ? undefined : endLine(output)));
        current.prompt();
        const ahead = typedAhead;
        typedAhead = "";
        current.write(ahead);
      });
    } finally {
      typedAhead += current.line;
      input.off("keypress", onKey);
      output.write(PASTE_OFF);
      current.close();
    }
  };
  return { next, close: () => editor?.close() };
}

/** Ends the line of the prompt, where the prompt of the shell would follow. */
function endLine(output: NodeJS.WriteStream): undefined {
  output.write("\n");
}

/** Ctrl-C drops what was typed; with nothing typed it is reported. */
function restart(editor: Interface, lines: MessageLines, prompt: string, onIdleInterrupt: () => void): void {
  const isEmpty = !lines.isOpen() && editor.line === "";
  lines.take();
  // Ends the line that was typed, without sending it.
  editor.write(null, { ctrl: true, name: "e" });
  editor.write(null, { ctrl: true, name: "u" });
  if (isEmpty) onIdleInterrupt();
  editor.setPrompt(prompt);
  editor.prompt();
}

/** Reads messages from a file or a pipe, with the same rules for several lines and without a prompt. */
export function pipedInput(input: NodeJS.ReadStream): ChatInput {
  const reader = createInterface({ input, terminal: false });
  const source = reader[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    const lines = new MessageLines();
    for (;;) {
      const { value, done } = await source.next();
      if (done === true) return lines.isOpen() ? lines.take() : undefined;
      const message = lines.add(value);
      if (message !== undefined) return message;
    }
  };
  return { next, close: () => reader.close() };
}

const FENCE = /^\s*(`{3,}|~{3,})/;

/** Makes messages of lines: a line that ends with a backslash, an open code block and a paste go on in the next line. */
export class MessageLines {
  private lines: string[] = [];
  private fence: string | undefined;

  add(line: string, isPasting = false): string | undefined {
    const [, mark] = FENCE.exec(line) ?? [];
    if (this.fence === undefined) this.fence = mark;
    else if (mark?.startsWith(this.fence) === true && line.trim() === mark) this.fence = undefined;
    const goesOn = this.fence === undefined && !isPasting && line.endsWith("\\");
    this.lines.push(goesOn ? line.slice(0, -1) : line);
    return goesOn || isPasting || this.fence !== undefined ? undefined : this.take();
  }

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
