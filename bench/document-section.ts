/** The section of docs/benchmarks.md that `npm run bench:warm` writes. */
export const WARM_SECTION = "Warm calls";

/** The text of a section of a Markdown document, with its heading; undefined if there is none. */
export function findSection(document: string, title: string): string | undefined {
  const heading = `\n## ${title}\n`;
  const from = document.indexOf(heading);
  if (from === -1) return undefined;
  const next = document.indexOf("\n## ", from + heading.length);
  return document.slice(from + 1, next === -1 ? document.length : next + 1).trimEnd();
}

/** The document with this section in place of the one with the same title, or at its end. */
export function putSection(document: string, title: string, section: string): string {
  const old = findSection(document, title);
  return old === undefined ? `${document.trimEnd()}\n\n${section}\n` : document.replace(old, () => section);
}
