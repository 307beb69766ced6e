import { linearSource } from "../../spec/text/linear-source.ts";

/**
 * The characters that a shell never interprets as an operator, a substitution, a redirection or the end of a command. Quotes,
 * wildcards and `=` are among them: behind the name of a program they only change its arguments.
 */
const PLAIN = "[^\\x00-\\x1f\\x7f;&|<>\\x28\\x29$`\\x5c]";

/** How a pattern becomes the source of a regular expression. */
export type SourceForm = {
  /** The class of the signs of `*`, without those that a shell interprets. */
  readonly any: string;
  /** The source for a text that stands for itself. */
  readonly literal: (text: string) => string;
};

const FORM: SourceForm = { any: PLAIN, literal: (text) => text.replace(/[^\w ]/g, "\\$&") };

/**
 * The sources of regular expressions for the commands of a pattern. `*` stands for text that no shell interprets, so that one program
 * runs and nothing else. The expression must be anchored at both ends. `git *` (also written `git:*`) stands for `git` with and without arguments.
 */
export function plainCommandSources(pattern: string, { any, literal }: SourceForm = FORM): readonly string[] {
  const spaced = pattern.replace(/:\*$/, " *");
  const toSource = (text: string): string => linearSource(text.split(/\*+/).map(literal), any);
  return spaced.endsWith(" *") ? [toSource(spaced.slice(0, -2)), toSource(spaced)] : [toSource(spaced)];
}
