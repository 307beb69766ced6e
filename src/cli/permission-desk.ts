import { setTimeout as delay } from "node:timers/promises";
import type { PermissionRequest } from "../spec/events.ts";
import type { PermissionAnswer, PermissionQuestion } from "../spec/stream.ts";
import { questionLines } from "./render/question-lines.ts";
import { pageWidth, type Screen } from "./render/screen.ts";

type Resolve = (answer: PermissionAnswer) => void;

/** What a person types. */
export type Keyboard = {
  /** Drops what was typed before: it answers no question that the person has not seen. */
  discard(): Promise<void>;
  /** The next line; undefined at EOF or when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
};

const DENIED: PermissionAnswer = { behavior: "deny", message: "The user denied this call." };
const ALLOWED: PermissionAnswer = { behavior: "allow" };

/**
 * Asks a person at the terminal whether a tool may run. The CLI asks by `onPermission`; the person is asked when the event of the
 * question is shown, after all text before it.
 */
export class PermissionDesk {
  private readonly screen: Screen;
  private readonly signal: AbortSignal;
  private readonly keyboard: Keyboard;
  private readonly waiting = new Map<string, Resolve>();
  private readonly decided = new Map<string, PermissionAnswer>();
  /** The tools that may always run. */
  private readonly always = new Set<string>();

  constructor(screen: Screen, signal: AbortSignal, keyboard: Keyboard) {
    this.screen = screen;
    this.signal = signal;
    this.keyboard = keyboard;
  }

  /** Resolves with the answer of the person. */
  readonly onPermission = async ({ requestId }: PermissionQuestion): Promise<PermissionAnswer> => {
    const decided = this.decided.get(requestId);
    if (decided !== undefined) return decided;
    return await new Promise((resolve) => this.waiting.set(requestId, resolve));
  };

  /** Asks the person, or answers as the person chose for this tool before; returns whether the call may run. */
  async ask(event: PermissionRequest): Promise<boolean> {
    const answer = this.always.has(event.name) || (await this.question(event)) ? ALLOWED : DENIED;
    this.decided.set(event.requestId, answer);
    this.waiting.get(event.requestId)?.(answer);
    return answer === ALLOWED;
  }

  private async question({ name, input }: PermissionRequest): Promise<boolean> {
    const { screen } = this;
    await this.keyboard.discard();
    screen.note(questionLines(name, input, screen.noteColors, pageWidth()));
    for (;;) {
      screen.note("  y = yes, n = no, a = always in this run: ");
      const typed = (await this.keyboard.readLine(this.signal))?.trim().toLowerCase();
      if (typed === undefined) screen.note("\n");
      if (typed === undefined || ["n", "no"].includes(typed)) return false;
      if (["a", "always"].includes(typed)) this.always.add(name);
      if (["y", "yes", "a", "always"].includes(typed)) return true;
    }
  }
}

const DISCARD_MS = 50;

/** The keyboard of this terminal; it stays in its normal mode, so that Ctrl-C is a signal as ever. */
export const terminalKeyboard: Keyboard = {
  async discard() {
    const drop = (): void => undefined;
    process.stdin.on("data", drop).resume();
    await delay(DISCARD_MS);
    process.stdin.pause().off("data", drop);
  },
  readLine: async (signal) =>
    await new Promise((resolve) => {
      const { stdin } = process;
      let typed = "";
      const finish = (line?: string): void => {
        stdin.pause().off("data", take).off("end", end);
        signal.removeEventListener("abort", end);
        resolve(line);
      };
      const take = (chunk: string | Buffer): void => {
        typed += String(chunk);
        if (typed.includes("\n")) finish(typed.slice(0, typed.indexOf("\n")));
      };
      const end = (): void => finish();
      if (signal.aborted) return finish();
      signal.addEventListener("abort", end, { once: true });
      stdin.on("data", take).once("end", end).resume();
    }),
};
