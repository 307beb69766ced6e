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
