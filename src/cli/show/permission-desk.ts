import type { PermissionAnswer, PermissionQuestion } from "../../spec/stream.ts";
import type { PermissionRequest } from "../../spec/wire/events.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import { pageHeight, pageWidth, type Screen } from "../terminal/screen.ts";
import { type Cover, coverOf } from "./permission-cover.ts";
import { questionText, wholeText } from "./question-text.ts";

type Resolve = (answer: PermissionAnswer) => void;

const DENIED: PermissionAnswer = { behavior: "deny", message: "The user denied this call." };
const ALLOWED: PermissionAnswer = { behavior: "allow" };

const NO = ["n", "no"];
const ALWAYS = ["a", "always"];
const MORE = ["m", "more"];
const CHOICE_IF_CUT = "  yes (the whole word) = yes, n = no, m = show all of it; then Enter: ";
const CHOICE_IF_UNTOLD = "  yes (the whole word) = yes, n or nothing = no; then Enter: ";

/**
 * Asks a person at the terminal whether a tool may run. The CLI asks by `onPermission`; the person is asked when the event of the
 * question is shown, after all text before it. Each answer is given to one question, also if a later one has the same id.
 */
export class PermissionDesk {
  private readonly screen: Screen;
  private readonly keyboard: Keyboard;
  private readonly waiting = new Map<string, Resolve[]>();
  private readonly decided = new Map<string, PermissionAnswer[]>();
  /** The keys of the calls that may run without another question. */
  private readonly always = new Set<string>();
  private readonly span: string;

  /** The span is how long the answer `a` holds: as long as this desk. */
  constructor(screen: Screen, keyboard: Keyboard, span: "run" | "chat") {
    this.screen = screen;
    this.keyboard = keyboard;
    this.span = span;
  }

  /** Resolves with the answer of the person. */
  readonly onPermission = async ({ requestId }: PermissionQuestion): Promise<PermissionAnswer> =>
    takeFirst(this.decided, requestId) ?? (await new Promise((resolve) => append(this.waiting, requestId, resolve)));

  /**
   * Asks the person, or answers as the person chose for such calls before; returns whether the call may run. It may not if the run
   * is over before the person answers, or if the question has no id (`askPermission` denies it, and no person is asked).
   */
  async ask(event: PermissionRequest, runIsOver: AbortSignal): Promise<boolean> {
    const { requestId } = event;
    if (requestId === "") return false;
    const cover = coverOf(event);
    const isCovered = cover !== undefined && this.always.has(cover.key);
    const answer = isCovered || (await this.question(event, cover, runIsOver)) ? ALLOWED : DENIED;
    const resolve = takeFirst(this.waiting, requestId);
    if (resolve === undefined) append(this.decided, requestId, answer);
    else resolve(answer);
    return answer === ALLOWED;
  }

  private async question(event: PermissionRequest, cover: Cover | undefined, runIsOver: AbortSignal): Promise<boolean> {
    const { screen, keyboard } = this;
    await keyboard.discard(runIsOver);
    if (runIsOver.aborted) return false;
    const { text, isCut } = questionText(event, screen.noteColors, { width: pageWidth(), height: pageHeight() });
    screen.note(text);
    let isHidden = isCut;
    for (;;) {
      screen.note(this.choice(isHidden, cover));
      const typed = (await keyboard.readLine(runIsOver))?.trim().toLowerCase();
      if (typed === undefined) screen.note("\n");
      if (typed === undefined || NO.includes(typed) || (cover === undefined && typed === "")) return false;
      if (typed === "yes") return true;
      if (isHidden && MORE.includes(typed)) {
        screen.note(wholeText(event, screen.noteColors, pageWidth()));
        isHidden = false;
      } else if (isHidden || cover === undefined) continue;
      else if (typed === "y") return true;
      else if (ALWAYS.includes(typed)) {
        this.always.add(cover.key);
        return true;
      }
    }
  }

  private choice(isHidden: boolean, cover: Cover | undefined): string {
    if (isHidden) return CHOICE_IF_CUT;
    if (cover === undefined) return CHOICE_IF_UNTOLD;
    return `  y = yes, n = no, a = ${cover.words} in this ${this.span}; then Enter: `;
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
