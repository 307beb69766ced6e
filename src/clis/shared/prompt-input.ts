import type { HomeFile } from "../../spec/provider/cli-data.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { CLOSE_INPUT } from "../../spec/wire/define-wire.ts";
import type { Send } from "../../spec/wire/wire.ts";
import { tomlString } from "./toml.ts";

/** A user-defined command that contains a prompt, for CLIs that expand mentions and commands in their stdin. */
export type PromptCommand = {
  /** Its file, below the CLI's configuration folder. */
  readonly file: HomeFile;
  /** The text on stdin that calls it. */
  readonly call: string;
};

const NAME = "coxswain-prompt";

const ARGUMENTS = "{{args}}";
/** The marks for a program to run (`!{}`) and a file to read (`@{}`). */
const MARKS: readonly string[] = ["!{", "@{"];

/**
 * The command for a prompt. Its text reaches the model unchanged: `/`, `@` and `!` have no meaning in it. Three marks have
 * a meaning in a command (`!{`, `@{`, `{{args}}`); the command's argument can break up one kind of them. Undefined for a
 * prompt with two kinds.
 */
export function toPromptCommand(prompt: string): PromptCommand | undefined {
  for (const [argument, template] of candidates(prompt)) {
    const isInert = !MARKS.some((mark) => template.includes(mark));
    if (isInert && template.replaceAll(ARGUMENTS, argument) === prompt) return commandOf(template, argument);
  }
  return undefined;
}

/** Arguments that can break up the marks, with the templates that they complete. */
function candidates(prompt: string): readonly (readonly [argument: string, template: string])[] {
  return [
    ["", prompt],
    ["!", prompt.replaceAll(/!+(?=\{)/g, (run) => ARGUMENTS.repeat(run.length))],
    ["@", prompt.replaceAll(/@+(?=\{)/g, (run) => ARGUMENTS.repeat(run.length))],
    ["{", prompt.replaceAll(ARGUMENTS, `${ARGUMENTS}{args}}`)],
  ];
}

/**
 * The command for a prompt with marks of two kinds. The text from the first mark to the last is the command's argument, in which
 * no mark has a meaning. Undefined if that text has whitespace that a CLI would change: Qwen Code 0.15.10 replaces several
 * spaces, or a line break, by one space.
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

/** The prompt for a CLI that removes one byte order mark from its input: a byte order mark of the prompt is written twice. */
export function keepByteOrderMark({ prompt }: PromptRequest): readonly Send[] {
  return [{ text: prompt.startsWith("\uFEFF") ? `\uFEFF${prompt}` : prompt }, CLOSE_INPUT];
}
