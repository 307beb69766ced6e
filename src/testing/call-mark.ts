const PLACEHOLDER = "{{mark}}";

/** The text with the mark of the prompt's call format for each `{{mark}}`; unchanged when the prompt has none. */
export function fillMark(text: string, prompt: string): string {
  if (!text.includes(PLACEHOLDER)) return text;
  // The last one counts: in a CLI's session, older turns have marks of their own. In a request body the quotes are escaped.
  const mark = [...prompt.matchAll(/\\*"mark\\*":\\*"([a-z2-9]{12})\\*"/g)].at(-1)?.[1];
  return mark === undefined ? text : text.replaceAll(PLACEHOLDER, mark);
}
