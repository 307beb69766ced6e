/** One event of the conversation that a CLI gets. */
export type ThreadEvent = {
  readonly type: string;
  readonly id: string;
  readonly name?: string;
  readonly callId?: string;
  readonly status?: string;
  /** The body, unescaped. */
  readonly text: string;
};

const EVENT = /^ {2}<event ([^>]*)>([^<]*)<\/event>$/gm;
const ATTRIBUTE = /(\w+)="([^"<>]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The events of the XML thread in a prompt; a body with an unescaped `<` does not match. */
export function readThread(told: string): readonly ThreadEvent[] {
  const thread = told.slice(told.lastIndexOf("<thread>"), told.lastIndexOf("</thread>"));
  return [...thread.matchAll(EVENT)].map(([, attributes = "", body = ""]) => {
    const values = new Map([...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [key, unescapeXml(value)]));
    return {
      type: values.get("type") ?? "",
      id: values.get("id") ?? "",
      ...optional("name", values.get("name")),
      ...optional("callId", values.get("call_id")),
      ...optional("status", values.get("status")),
      text: unescapeXml(body),
    };
  });
}

/** Type and text of each event, in order. */
export function saidIn(told: string): readonly (readonly [type: string, text: string])[] {
  return readThread(told).map(({ type, text }) => [type, text]);
}

function optional<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  const entry: Partial<Record<Key, string>> = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ""] ?? whole;
  });
}
