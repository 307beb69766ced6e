import { isJsonObject, type JsonObject } from "../../spec/json.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../spec/stream.ts";
import type { PermissionRequest } from "../../spec/wire/events.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import { pageHeight, pageWidth, type Screen } from "../terminal/screen.ts";
import { questionText, wholeText } from "./question-text.ts";

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
  /** The answers to the questions with an id, in their order; the CLI may ask before or after the person has answered. */
  private readonly answers = new Map<string, PromiseWithResolvers<PermissionAnswer>[]>();
  private readonly asked = new Map<string, number>();
  private readonly answered = new Map<string, number>();
  /** The keys of the calls that may run without another question. */
  private readonly always = new Set<string>();
  private readonly span: string;

  /** The span is how long the answer `a` holds: as long as this desk. */
  constructor(screen: Screen, keyboard: Keyboard, span: "run" | "chat") {
    this.screen = screen;
    this.keyboard = keyboard;
    this.span = span;
  }

  readonly onPermission = ({ requestId }: PermissionQuestion): Promise<PermissionAnswer> =>
    this.next(this.asked, requestId).promise;

  private next(counts: Map<string, number>, id: string): PromiseWithResolvers<PermissionAnswer> {
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const answers = this.answers.get(id) ?? [];
    this.answers.set(id, answers);
    answers[count] ??= Promise.withResolvers<PermissionAnswer>();
    return answers[count];
  }

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
    this.next(this.answered, requestId).resolve(answer);
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

/** The calls that the answer `a` covers: their key, and words for them. */
export type Cover = { readonly key: string; readonly words: string };

/** Programs that run no other program and overwrite no file, so that all their commands may be allowed at once. */
const SIMPLE = /^(?:cat|df|du|echo|grep|head|ls|mkdir|pwd|stat|tail|touch|wc)(?= |$)/;
const PLAIN = /^[\w@%+=:,./ -]+$/;
/** Words of the model about its call; they change nothing of what runs. */
const WORDS = ["description", "reason"];

/** True for a command of one program: nothing in it chains, redirects, substitutes or quotes, and no part of it stands for any text. */
export function isPlainCommand(command: string): boolean {
  return PLAIN.test(command) && command === command.trim();
}

/** What `a` would cover: all commands of a simple program with the same other settings, or exactly this call. */
function coverOf({ name, input, isDescription }: PermissionRequest): Cover | undefined {
  if (isDescription === true) return undefined;
  const { command, ...settings } = isJsonObject(input) ? withoutWords(input) : {};
  const program = typeof command === "string" && isPlainCommand(command) ? SIMPLE.exec(command)?.[0] : undefined;
  if (program !== undefined)
    return { key: JSON.stringify([name, "program", program, settings]), words: `all ${program} commands` };
  const exact = isJsonObject(input) ? withoutWords(input) : input;
  return { key: JSON.stringify([name, "call", exact]), words: "exactly this call" };
}

function withoutWords(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !WORDS.includes(key)));
}
