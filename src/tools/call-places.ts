import { Lexer, type Token, type Tokens } from "marked";
import { type JsonReading, readJson } from "./read-json.ts";

/** A place in an answer: `call` may hold a tool call, `unclear` may only quote one, `notation` begins one in another notation. */
export type CallPlace = {
  readonly kind: "call" | "unclear" | "notation";
  /** The whole place, fence included, as offsets in the answer. */
  readonly start: number;
  readonly end: number;
  /** Where the JSON begins and where the place's content ends. */
  readonly jsonStart: number;
  readonly contentEnd: number;
};

const FENCE_WORDS: ReadonlySet<string> = new Set(["", "json", "json5", "jsonc", "tool_calls", "tool_call"]);
/** The beginning of an envelope whose first key is `tool_calls`; with other keys first, only places of kind `call` have one. */
export const ENVELOPE_START: RegExp = /\{\s*(?:["'“”‘’`]|&quot;|&#34;|\\")?tool_calls(?:["'“”‘’`]|&quot;|&#34;|\\")?\s*(?::|$)/;
/** An envelope in one line, also with other keys in front. */
const INNER_ENVELOPE =
  /\{(?=(?:[^{}\n]{0,300}?["'“”‘’`])?\s*(?:["'“”‘’`]|&quot;|&#34;|\\")?tool_calls(?:["'“”‘’`]|&quot;|&#34;|\\")?\s*(?::|$))/;
const THINKING = /^ {0,3}<(think(?:ing)?)\b[^>\n]{0,200}>/i;
/** An answer that takes more work per character than this was made to be slow to parse. */
const MOST_WORK = 24;
const OTHER_NOTATION = /^ {0,3}<(?:tool_call|function_calls|invoke)\b/i;

/** Finds the places of an answer that may hold tool calls, in order, by its Markdown block structure. */
export function findCallPlaces(answer: string): readonly CallPlace[] {
  const finder = new PlaceFinder(answer);
  finder.run();
  return finder.places;
}

/** The lexer takes carriage returns for line ends and no tab after a closing fence. Offsets stay valid: the length is the same. */
function withPlainLineEnds(text: string): string {
  const lines = text.replaceAll("\r\n", " \n").replaceAll("\r", "\n");
  return lines.replace(/^( {0,3}[`~]{3,})([ \t]+)$/gm, (_, fence: string, space: string) => fence + " ".repeat(space.length));
}

class PlaceFinder {
  readonly places: CallPlace[] = [];
  private readonly text: string;
  private work = 0;
  /** Parsing an object failed up to here, so objects that begin before it are skipped. */
  private failedUntil = 0;

  constructor(answer: string) {
    this.text = withPlainLineEnds(answer);
  }

  run(): void {
    let at = 0;
    while (at < this.text.length) at = this.lexFrom(at);
  }

  /** Lexes the rest of the answer; returns the offset to continue at, which is earlier if a place spans several blocks. */
  private lexFrom(start: number): number {
    let at = start;
    this.spend(this.text.length - start);
    for (const token of Lexer.lex(this.text.slice(start))) {
      const end = at + token.raw.length;
      const resumed = this.visit(token, at, end);
      if (resumed > end || (resumed < end && resumed > at)) return resumed;
      at = end;
    }
    return Math.max(at, this.text.length);
  }

  /** Limits the total work of parsing the same text again; throws a RangeError beyond the limit. */
  private spend(characters: number): void {
    this.work += characters;
    if (this.work > MOST_WORK * this.text.length + 100_000) throw new RangeError("The answer takes too long to read.");
  }

  private readAt(jsonStart: number): JsonReading {
    const reading = readJson(this.text, jsonStart, "envelope");
    this.spend(reading.end - jsonStart);
    return reading;
  }

  /** Adds the places of one block; returns where to continue, normally at its end. */
  private visit(token: Token, start: number, end: number): number {
    switch (token.type) {
      case "code":
        this.visitCode(token as Tokens.Code, start, end);
        return end;
      case "paragraph":
      case "text":
      case "def":
        return this.visitLines(token, start, end);
      case "heading":
        if (!token.raw.trimStart().startsWith("#")) return this.visitLines(token, start, end);
        this.visitQuoted(start, end);
        return end;
      case "html":
        return this.visitHtml(token.raw, start, end);
      case "list":
        this.visitQuoted(start, end);
        return end;
      default:
        return end;
    }
  }

  private visitCode({ codeBlockStyle, lang, raw }: Tokens.Code, start: number, end: number): void {
    const word = (lang ?? "").trim().split(/\s/)[0]?.toLowerCase() ?? "";
    if (codeBlockStyle === "indented" || !FENCE_WORDS.has(word)) return;
    if (ENVELOPE_START.test(lang ?? "")) return this.visitQuoted(start, end);
    const lines = raw.trimEnd().split("\n");
    const opening = /^ {0,3}(`{3,}|~{3,})/.exec(lines[0] ?? "")?.[1] ?? "";
    const isClosed = lines.length > 1 && new RegExp(`^ {0,3}${opening[0]}{${opening.length},}[ \\t]*$`).test(lines.at(-1) ?? "");
    const contentStart = start + (lines[0]?.length ?? 0) + 1;
    const contentEnd = isClosed ? start + lines.slice(0, -1).join("\n").length : end;
    this.add("call", { start, end, jsonStart: contentStart, contentEnd: Math.max(contentStart, contentEnd) });
  }

  /** Finds bare JSON and one-line fences at the start of a line, and envelopes within a line. */
  private visitLines(token: Token, start: number, end: number): number {
    const visible = blankQuoted(token, this.text.slice(start, end));
    let at = start;
    while (at < end) {
      const lineEnd = Math.min(end, indexOrEnd(this.text, "\n", at) + 1);
      const next = this.visitLine(at, lineEnd, visible.slice(at - start, lineEnd - start));
      if (next > end) return next;
      at = next;
    }
    return end;
  }

  private visitLine(start: number, end: number, visible: string): number {
    const line = this.text.slice(start, end).trimEnd();
    const fenced = oneLineFence(line);
    if (fenced !== undefined) {
      const [jsonStart, contentEnd] = fenced;
      this.add("call", { start, end: start + line.length, jsonStart: start + jsonStart, contentEnd: start + contentEnd });
      return end;
    }
    const indent = /^ {0,3}(?=\{)/.exec(visible);
    if (indent !== null) return this.visitBareJson(start + indent[0].length, end);
    const behindTag = this.visitTag(line, start);
    if (behindTag !== undefined) return behindTag;
    const inner = INNER_ENVELOPE.exec(visible);
    if (inner === null) return end;
    const jsonStart = start + inner.index;
    this.add("unclear", { start: jsonStart, end, jsonStart, contentEnd: this.text.length });
    const reading = this.readAt(jsonStart);
    return reading.kind === "value" ? Math.max(end, reading.end) : end;
  }

  /** An object that is not an envelope is text, and its content is skipped. */
  private visitBareJson(jsonStart: number, lineEnd: number): number {
    const beginsAsEnvelope = ENVELOPE_START.exec(this.text.slice(jsonStart, jsonStart + 200))?.index === 0;
    if (jsonStart < this.failedUntil && !beginsAsEnvelope) return lineEnd;
    const reading = this.readAt(jsonStart);
    if (reading.kind === "value") {
      this.add("call", { start: jsonStart, end: reading.end, jsonStart, contentEnd: reading.end });
      return reading.end;
    }
    this.failedUntil = reading.end;
    if (!beginsAsEnvelope) return lineEnd;
    this.add("call", { start: jsonStart, end: this.text.length, jsonStart, contentEnd: this.text.length });
    return this.text.length + 1;
  }

  /** Comments and raw text are skipped. In a block of other tags a call is unclear. After a closing tag Markdown continues. */
  private visitHtml(raw: string, start: number, end: number): number {
    if (/^\s*<(?:!|\?|pre\b|script\b|style\b|textarea\b)/i.test(raw)) return end;
    const behind = this.visitTag(raw, start);
    if (behind !== undefined) return behind;
    if (/^\s*<\//.test(raw)) return Math.min(end, indexOrEnd(this.text, "\n", start) + 1);
    this.visitQuoted(start, end);
    return end;
  }

  /** A call in another notation extends to the end of the answer. The text between thinking tags is skipped. */
  private visitTag(line: string, start: number): number | undefined {
    if (OTHER_NOTATION.test(line)) {
      const end = this.text.length;
      this.add("notation", { start, end, jsonStart: end, contentEnd: end });
      return end + 1;
    }
    const tag = THINKING.exec(line)?.[1]?.toLowerCase();
    if (tag === undefined) return undefined;
    const close = this.text.toLowerCase().indexOf(`</${tag}>`, start);
    return close === -1 ? this.text.length + 1 : close + tag.length + 3;
  }

  private visitQuoted(start: number, end: number): void {
    const inner = INNER_ENVELOPE.exec(this.text.slice(start, end));
    if (inner === null) return;
    const jsonStart = start + inner.index;
    this.add("unclear", { start: jsonStart, end, jsonStart, contentEnd: end });
  }

  private add(kind: CallPlace["kind"], place: Omit<CallPlace, "kind">): void {
    this.places.push({ kind, ...place });
  }
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index === -1 ? text.length : index;
}

/** The start and end of the JSON in a one-line fence. */
function oneLineFence(line: string): readonly [number, number] | undefined {
  const opening = /^ {0,3}(`{3,})/.exec(line);
  const fence = opening?.[1];
  if (opening === null || fence === undefined || !line.endsWith(fence) || line.at(-fence.length - 1) === "`") return undefined;
  const jsonStart = line.indexOf("{");
  const contentEnd = line.length - fence.length;
  if (jsonStart === -1 || jsonStart > contentEnd) return undefined;
  const word = line.slice(opening[0].length, jsonStart).trim().toLowerCase();
  return FENCE_WORDS.has(word) ? [jsonStart, contentEnd] : undefined;
}

/** The block's text with code spans and comments blanked out, because their content is quoted. */
function blankQuoted(token: Token, text: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const span of quotesOf(token)) {
    const index = text.indexOf(span, at);
    if (index === -1) continue;
    pieces.push(text.slice(at, index), " ".repeat(span.length));
    at = index + span.length;
  }
  return [...pieces, text.slice(at)].join("");
}

function quotesOf(token: Token): readonly string[] {
  if (token.type === "codespan") return token.raw.startsWith("```") ? [] : [token.raw];
  if (token.type === "html") return token.raw.startsWith("<!--") ? [token.raw] : [];
  const children: readonly Token[] = "tokens" in token ? (token.tokens ?? []) : [];
  return children.flatMap(quotesOf);
}
