/** An event of a thread. */
export type ThreadEvent = { readonly attributes: Readonly<Record<string, string>>; readonly body: string };

const OPEN = "<thread>\n";
const CLOSE = "</thread>";
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Parses a thread by the rules of XML alone: any unescaped markup counts, in whatever text it is. Throws at text outside an
 * event, at markup inside one, and at a control character other than newline and tab.
 */
export function readThread(xml: string): readonly ThreadEvent[] {
  if (/^<thread>\s*<\/thread>$/.test(xml)) return [];
  if (!xml.startsWith(OPEN)) throw new Error(`no thread begins here: ${xml.slice(0, 40)}`);
  const events: ThreadEvent[] = [];
  let at = OPEN.length;
  while (!xml.startsWith(CLOSE, at)) {
    const head = /^ {2}<event((?: [a-z_]+="[^"<>]*")*)>/.exec(xml.slice(at));
    if (head === null) throw new Error(`no event begins here: ${JSON.stringify(xml.slice(at, at + 80))}`);
    const from = at + head[0].length;
    const to = xml.indexOf("<", from);
    if (!xml.startsWith("</event>\n", to)) throw new Error(`a mark inside an event: ${JSON.stringify(xml.slice(to, to + 40))}`);
    events.push({ attributes: readAttributes(head[1] ?? ""), body: readText(xml.slice(from, to), /[^\P{Cc}\n\t]|>/u) });
    at = to + "</event>\n".length;
  }
  if (at + CLOSE.length !== xml.length) throw new Error(`something stands after the thread: ${xml.slice(at)}`);
  return events;
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/ ([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    name,
    readText(value, /\p{Cc}/u),
  ]);
  const names = new Set(pairs.map(([name]) => name));
  if (names.size !== pairs.length) throw new Error(`an attribute is there twice: ${text}`);
  return Object.fromEntries(pairs);
}

function readText(escaped: string, forbidden: RegExp): string {
  if (forbidden.test(escaped)) throw new Error(`a character that must be escaped: ${JSON.stringify(escaped)}`);
  return escaped.replace(/&([^;&]*);?/g, (reference, name: string) => {
    if (!reference.endsWith(";")) throw new Error(`a bare ampersand: ${JSON.stringify(escaped)}`);
    const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name);
    if (number !== null)
      return String.fromCodePoint(Number.parseInt(number[1] ?? number[2] ?? "", number[1] === undefined ? 10 : 16));
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`an unknown reference: ${reference}`);
    return character;
  });
}
