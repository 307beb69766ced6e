import type { PermissionRequest } from "../spec/events.ts";
import type { PermissionAnswer, PermissionQuestion } from "../spec/stream.ts";
import { questionText } from "./render/question-text.ts";
import { pageHeight, pageWidth, type Screen } from "./render/screen.ts";
import type { Keyboard } from "./terminal-keyboard.ts";

type Resolve = (answer: PermissionAnswer) => void;

const DENIED: PermissionAnswer = { behavior: "deny", message: "The user denied this call." };
const ALLOWED: PermissionAnswer = { behavior: "allow" };

const NO = ["n", "no"];
const ALWAYS = ["a", "always"];
const YES = ["y", "yes", ...ALWAYS];
const CHOICE = "  y = yes, n = no, a = always in this run; then Enter: ";
const CHOICE_IF_CUT = "  yes (the whole word) = yes, n = no; then Enter: ";

/**
 * Asks a person at the terminal whether a tool may run. The CLI asks by `onPermission`; the person is asked when the event of the
 * question is shown, after all text before it. Each answer is given to one question, also if a later one has the same id.
 */
export class PermissionDesk {
  private readonly screen: Screen;
  private readonly keyboard: Keyboard;
  private readonly waiting = new Map<string, Resolve[]>();
  private readonly decided = new Map<string, PermissionAnswer[]>();
  /** The tools that may always run. */
  private readonly always = new Set<string>();

  constructor(screen: Screen, keyboard: Keyboard) {
    this.screen = screen;
    this.keyboard = keyboard;
  }

  /** Resolves with the answer of the person. */
  readonly onPermission = async ({ requestId }: PermissionQuestion): Promise<PermissionAnswer> =>
    takeFirst(this.decided, requestId) ?? (await new Promise((resolve) => append(this.waiting, requestId, resolve)));

  /**
   * Asks the person, or answers as the person chose for this tool before; returns whether the call may run. It may not if the run
   * is over before the person answers, or if the question has no id (`askPermission` denies it, and no person is asked).
   */
  async ask(event: PermissionRequest, runIsOver: AbortSignal): Promise<boolean> {
    const { requestId, name } = event;
    if (requestId === "") return false;
    const answer = this.always.has(name) || (await this.question(event, runIsOver)) ? ALLOWED : DENIED;
    const resolve = takeFirst(this.waiting, requestId);
    if (resolve === undefined) append(this.decided, requestId, answer);
    else resolve(answer);
    return answer === ALLOWED;
  }

  private async question({ name, input }: PermissionRequest, runIsOver: AbortSignal): Promise<boolean> {
    const { screen, keyboard } = this;
    await keyboard.discard(runIsOver);
    if (runIsOver.aborted) return false;
    const { text, isCut } = questionText(name, input, screen.noteColors, { width: pageWidth(), height: pageHeight() });
    screen.note(text);
    for (;;) {
      screen.note(isCut ? CHOICE_IF_CUT : CHOICE);
      const typed = (await keyboard.readLine(runIsOver))?.trim().toLowerCase();
      if (typed === undefined) screen.note("\n");
      if (typed === undefined || NO.includes(typed)) return false;
      if (isCut ? typed !== "yes" : !YES.includes(typed)) continue;
      if (ALWAYS.includes(typed)) this.always.add(name);
      return true;
    }
  }
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}

function takeFirst<Value>(lists: Map<string, Value[]>, key: string): Value | undefined {
  const [first, ...rest] = lists.get(key) ?? [];
  if (rest.length === 0) lists.delete(key);
  else lists.set(key, rest);
  return first;
}
