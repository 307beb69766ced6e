/**
 * Characters that cannot be seen or look like others: controls, formats (zero width, soft hyphen, bidi, tags), fillers, selectors, blanks other than
 * the space, line separators, lone surrogates and private use. An emoji keeps the joiners that belong to it.
 */
const HIDDEN = /\p{RGI_Emoji}|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gv;
const WORD = /[\p{L}\p{M}]+/gv;
const LATIN = /\p{Script=Latin}/v;
/** Letters of the alphabets that share shapes with Latin; a word that has both kinds deceives. */
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gv;

/** One line of text as a person can judge it: each hidden or deceptive character as its number, a tab as four blanks. */
export function toVisibleLine(line: string): string {
  return line
    .replaceAll("\t", "    ")
    .replace(HIDDEN, (found) => (/\p{RGI_Emoji}/v.test(found) ? found : escapeCharacter(found)))
    .replace(WORD, (word) => (LATIN.test(word) ? word.replace(FOREIGN, escapeCharacter) : word));
}

/** The whole text on one line, with newlines as `\n`. */
export function toVisibleText(text: string): string {
  return text.split("\n").map(toVisibleLine).join("\\n");
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * The source of a regular expression for texts with any signs between them, `any` being the class of those signs. The expression must be
 * anchored behind the source. A lookahead is never tried again, so that each text is found at its first place and the time grows with the
 * length of the input, not with its power.
 */
export function linearSource(texts: readonly string[], any: string): string {
  const [first = "", ...rest] = texts;
  const last = rest.pop();
  const between = rest.map((text, index) => `(?=(${any}*?${text}))\\${index + 1}`);
  return last === undefined ? first : `${first}${between.join("")}${any}*${last}`;
}
