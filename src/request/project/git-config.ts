import { dirname, isAbsolute, join } from "node:path";
import { readBounded } from "./read-bounded.ts";

/** A setting of git: `filter.name.clean`, with the section and the last part in small letters, as git compares them. */
export type GitEntry = { readonly key: string; readonly value: string };

/** The settings of a file and of those that it includes. */
export type GitSettings = {
  readonly entries: readonly GitEntry[];
  /** A file that git reads and that cannot be judged. */
  readonly unread?: string;
};

const MOST_BYTES = 4 * 1024 * 1024;
/** The same limit as git's. */
const MOST_INCLUDES = 10;

/** Which files are included: a condition can become true later, so all of a project's, and of a user's only those without a condition. */
export type Includes = { readonly home: string; readonly conditional: boolean };

/** Reads a configuration file of git as data, with the files that it includes. */
export function readGitConfig(path: string, includes: Includes, depth = 0): GitSettings {
  const text = readBounded(path, MOST_BYTES);
  if (text === undefined) return { entries: [] };
  if (typeof text === "string") return { entries: [], unread: path };
  const own = parseGitConfig(text.content);
  const inner =
    depth === MOST_INCLUDES ? [] : includedFiles(own, path, includes).map((file) => readGitConfig(file, includes, depth + 1));
  const unread = inner.find((read) => read.unread !== undefined)?.unread;
  return { entries: [...own, ...inner.flatMap(({ entries }) => entries)], ...(unread !== undefined && { unread }) };
}

function includedFiles(entries: readonly GitEntry[], path: string, { home, conditional }: Includes): readonly string[] {
  const paths = entries.filter(({ key }) => key === "include.path" || (conditional && /^includeif\..*\.path$/s.test(key)));
  return paths.flatMap(({ value }) => {
    if (value === "") return [];
    if (value.startsWith("~/")) return [join(home, value.slice(2))];
    return [isAbsolute(value) ? value : join(dirname(path), value)];
  });
}

const HEADER = /\[([A-Za-z0-9.-]+)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const NAME = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*/y;

/** The settings in the text of a configuration file. What git would not read is passed over. */
export function parseGitConfig(text: string): readonly GitEntry[] {
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const entries: GitEntry[] = [];
  let section = "";
  for (let at = 0; at < source.length; ) {
    const header = matchAt(HEADER, source, at);
    const name = header === undefined ? matchAt(NAME, source, at) : undefined;
    if (header !== undefined) {
      section = sectionOf(header);
      at += header[0].length;
    } else if (name !== undefined) {
      const { value, end } =
        name[2] === "" ? { value: "true", end: at + name[0].length } : readValue(source, at + name[0].length);
      entries.push({ key: `${section}.${(name[1] ?? "").toLowerCase()}`, value });
      at = end;
    } else at = afterOther(source, at);
  }
  return entries;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

function sectionOf([, section = "", subsection]: RegExpExecArray): string {
  const name = section.toLowerCase();
  return subsection === undefined ? name : `${name}.${subsection.replace(/\\(.)/gs, "$1")}`;
}

/** Behind a comment, or behind one character: a header or a name may follow in the same line. */
function afterOther(source: string, at: number): number {
  if (source[at] !== "#" && source[at] !== ";") return at + 1;
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end + 1;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\n": "" };

/** A value ends with its line; outside of quotes a comment ends it too, and spaces at its end do not count. */
function readValue(source: string, start: number): { readonly value: string; readonly end: number } {
  let [value, spaces, quoted, at] = ["", "", false, start];
  for (; at < source.length && source[at] !== "\n"; at++) {
    const letter = source[at] ?? "";
    if (!quoted && (letter === "#" || letter === ";")) return { value, end: afterOther(source, at) };
    if (letter === '"') quoted = !quoted;
    else if (!quoted && " \t\r".includes(letter)) spaces += letter;
    else {
      if (letter === "\\") at++;
      const escaped = source[at] ?? "";
      value += spaces + (letter === "\\" ? (ESCAPED[escaped] ?? escaped) : letter);
      spaces = "";
    }
  }
  return { value, end: at };
}
