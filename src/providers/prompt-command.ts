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
    if (!isInert || template.replaceAll(ARGUMENTS, argument) !== prompt) continue;
    const file = { path: `commands/${NAME}.toml`, content: `prompt = ${tomlString(template)}\n` };
    return { file, call: `/${NAME} ${argument}`.trimEnd() };
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

/** The same as a skill, in which no mark means anything; undefined for a prompt of which a skill would lose blanks or line ends. */
export function toPromptSkill(prompt: string): PromptCommand | undefined {
  if (prompt !== prompt.trim() || prompt.includes("\r")) return undefined;
  const content = `---\nname: ${NAME}\ndescription: A prompt.\n---\n${prompt}`;
  return { file: { path: `skills/${NAME}/SKILL.md`, content }, call: `/${NAME}` };
}
