export type Keyboard = {
  /** Drops what was typed before: it answers no question that the person has not seen. */
  discard(signal: AbortSignal): Promise<void>;
  /** The next line; undefined at EOF, after EOF, or when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
};

type Terminal = NodeJS.ReadableStream & {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  setRawMode(isRaw: boolean): unknown;
};
type Finish = (line?: string) => void;

const QUIET_MS = 50;
const CTRL_C = "\u0003";

/** The keyboard of a terminal. Lines are read in the normal mode of the terminal, so that Ctrl-C is a signal as ever. */
export function keyboardOf(stdin: Terminal): Keyboard {
  return {
    async discard(signal) {
      if (hasEnded(stdin, signal)) return;
      const quiet = new AbortController();
      // The timer of a delayed host can be due before its input was looked at. An immediate runs after that look.
      let look: NodeJS.Immediate | undefined;
      const timer = setTimeout(() => {
        look = setImmediate(() => quiet.abort());
      }, QUIET_MS);
      // In normal mode the terminal keeps a line until Enter. In raw mode its beginning can be read too, but Ctrl-C is a character.
      stdin.setRawMode(true);
      try {
        await read(stdin, AbortSignal.any([signal, quiet.signal]), (typed) => {
          clearImmediate(look);
          timer.refresh();
          if (typed.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
        });
      } finally {
        clearTimeout(timer);
        clearImmediate(look);
        stdin.setRawMode(false);
      }
    },
    async readLine(signal) {
      let typed = "";
      return await read(stdin, signal, (more, finish) => {
        typed += more;
        if (typed.includes("\n")) finish(typed.slice(0, typed.indexOf("\n")));
      });
    },
  };
}

/** Passes on what is typed, until the reader finishes, the input ends or the signal aborts. */
async function read(
  stdin: Terminal,
  signal: AbortSignal,
  take: (typed: string, finish: Finish) => void,
): Promise<string | undefined> {
  if (hasEnded(stdin, signal)) return undefined;
  return await new Promise((resolve) => {
    const finish: Finish = (line) => {
      stdin.pause().off("data", onData).off("end", end).off("error", end);
      signal.removeEventListener("abort", end);
      resolve(line);
    };
    const onData = (chunk: string | Buffer): void => take(String(chunk), finish);
    const end = (): void => finish();
    signal.addEventListener("abort", end, { once: true });
    stdin.on("data", onData).once("end", end).once("error", end).resume();
  });
}

/** A stream tells its end only once, so a later question has to look. */
function hasEnded(stdin: Terminal, signal: AbortSignal): boolean {
  return signal.aborted || stdin.readableEnded || stdin.destroyed;
}
