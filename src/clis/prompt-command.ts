import type { HomeFile } from "../spec/launch-plan.ts";

/** A command of the user's own that holds a prompt, for CLIs that read mentions and commands out of what they are given on stdin. */
export type PromptCommand = {
  /** Its file, below the folder of the CLI's configuration. */
  readonly file: HomeFile;
  /** What calls it. */
  readonly call: string;
};

const NAME = "coxswain-prompt";

const ARGUMENTS = "{{args}}";
/** What a command runs (`!{}`) and reads (`@{}`). */
const MARKS: readonly string[] = ["!{", "@{"];

/**
 * The command for a prompt: its text goes to the model as it stands, without a look at `/`, `@` or `!` in it. Three marks mean
 * something in a command (`!{`, `@{`, `{{args}}`); one kind of them can be broken up by the command's argument. Undefined for a
 * prompt with two kinds.
 */
export function toPromptCommand(prompt: string): PromptCommand | undefined {
  for (const [argument, template] of candidates(prompt)) {
    const isInert = !MARKS.some((mark) => template.includes(mark));
    if (isInert && template.replaceAll(ARGUMENTS, argument) === prompt) return commandOf(template, argument);
  }
  return undefined;
}

/** Arguments that might break the marks up, with the templates that they complete. */
function candidates(prompt: string): readonly (readonly [argument: string, template: string])[] {
  return [
    ["", prompt],
    ["!", prompt.replaceAll(/!+(?=\{)/g, (run) => ARGUMENTS.repeat(run.length))],
    ["@", prompt.replaceAll(/@+(?=\{)/g, (run) => ARGUMENTS.repeat(run.length))],
    ["{", prompt.replaceAll(ARGUMENTS, `${ARGUMENTS}{args}}`)],
  ];
}

/** Any text as a TOML string: JSON but for one control character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/**
 * The command for a prompt with marks of two kinds: from the first mark to the last its text is the command's argument, in which
 * no mark means anything. Undefined where there are blanks in between that a CLI would not keep: Qwen Code 0.15.10 makes one blank
 * of several, and of a line end.
 */
export function toPromptArgument(prompt: string): PromptCommand | undefined {
  const marks = [...prompt.matchAll(/(?=([!@]+\{|\{\{args\}\}))/g)];
  const [first, last] = [marks[0], marks.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const end = last.index + (last[1]?.length ?? 0);
  const marked = prompt.slice(first.index, end);
  if (/[^\S ]| {2}/.test(marked)) return undefined;
  const argument = marked.replaceAll("$", "$$$$");
  return commandOf(`${prompt.slice(0, first.index)}${ARGUMENTS}${prompt.slice(end)}`, argument);
}

function commandOf(template: string, argument: string): PromptCommand {
  const file = { path: `commands/${NAME}.toml`, content: `prompt = ${tomlString(template)}\n` };
  return { file, call: `/${NAME} ${argument}`.trimEnd() };
}
