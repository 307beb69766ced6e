/** One message on stderr: its text, which may have several lines, and what kind of message it is. */
export type StderrMessage = {
  readonly text: string;
  readonly isError: boolean;
  /** True if it is about something beside the run: an MCP server, a plugin, an update. */
  readonly isAside: boolean;
};

const ERROR_WORDS =
  /error|invalid|cannot|can't|could not|couldn't|unable|fail|denied|not found|not recognized|no such|not permitted|not allowed|not supported|unsupported|exceed|exhaust|expired|refused|missing|unauthorized|forbidden|panic|crash|sorry|reached|overloaded|unavailable|insufficient|timed out|timeout|disconnected|terminated|aborted|blocked|disabled|revoked|declined|rejected|required|lacks|exception|unexpected|cancell?ed|interrupted|throttl|wrong|incorrect|malformed|n't\b|\b(?:not|no|must|lost|closed)\b|too (?:many|long|large)|\bhit (?:a|an|your|the)\b|^[✗✖✕×✘]|\bE[A-Z]{4,}\b/i;
/** Stack frames, warnings and the caret under a line of code do not name a failure. */
const NOT_ERROR = /^at \S|^\d+: 0x|^\W{0,4}(?:warn(?:ing)?|info|debug|note|tip|hint)\b|^[\^~]+$|^throw\b|\bDeprecationWarning\b/i;
const ASIDE =
  /\bMCP\b|\b(?:extension|plugin|hook|telemetry|analytics|updater|auto-?update|update check|keychain|keytar)s?\b|\berror executing tool\b/i;

/** Lines that quote an error and report none: output of grep, source code, reports of tests, change logs and specifications. */
const QUOTED: readonly RegExp[] = [
  /^[\w@./\\-]+\.[a-z]{1,10}[:-]\d+[:-](?!\d)/i,
  /^(?:(?:export|pub|public|private|static|async|await|return) )*(?:const|let|var|fn|def|func|function|class|import|return|assert\w*|expect|it|test|describe|if|for|while|case)\b[ (].*[;{(=)],?$/,
  /^[\w.]+\((["'`]).*\1[^"'`]*\);?$|^assert\b|^[+-]\s{2,}\S/,
  /^(?:✓|√|✔|ok|not ok) (?:\d|\w)|^(?:FAIL|PASS|RUNS?)\s.*\.(?:test|spec)\b|^test \S+ \.\.\. |^running \d+ tests?\b|^AssertionError\b|\bexpected .{1,80} to (?:be|equal|have|match|contain)\b/,
  /^(?:[-*+•] )?(?:fixed|added|improved|changed|removed|updated|renamed|documented|refactored|(?:feat|fix|docs|chore|test|perf|refactor)(?:\([\w-]+\))?!?:)\s/i,
  /\bnow (?:shows?|returns?|reports?|handles?|retry|retries|prints?|displays?|surfaces?|include[sd]?|correctly|properly)\b/i,
  /\bshould (?:return|respond|throw|show|handle|retry|reject|fail|see|get|print|report)\b/i,
  /\b\d{1,2}% (?:of|left|remaining|used)\b|^(?:grep|rg|ls|cat|find|sed|awk): /,
  /^\|.*\|$|^(?:#{1,6}|>|\/\/|\/\*|\*) |^(?:diff --git|@@ )|^(?:commit|index) [0-9a-f]{7,40}\b/,
];

/** Most lines that belong to one message, such as the body of a response. */
const MOST_LINES = 80;

/** The fewest characters of a line that a terminal has wrapped. */
const SHORTEST_WRAPPED = 50;

/** Splits stderr into messages. Lines of an open bracket, indented lines and wrapped lines belong to the message before them. */
export function readMessages(lines: readonly string[]): readonly StderrMessage[] {
  const blocks: string[][] = [];
  let wasBlank = false;
  for (const line of lines.map((given) => given.trimEnd())) {
    const block = blocks.at(-1);
    if (line !== "" && isMessageLine(line.trim())) {
      if (block === undefined || !continues(block, line, wasBlank)) blocks.push([line]);
      else block.push(line);
    }
    wasBlank = line === "";
  }
  return blocks.map(toMessage);
}

/** The first line that says what went wrong, or else the first line. */
export function firstWords(messages: readonly StderrMessage[]): string | undefined {
  return (messages.find(({ isError, isAside }) => isError && !isAside) ?? messages[0])?.text;
}

function isMessageLine(line: string): boolean {
  return !NOT_ERROR.test(line) && !QUOTED.some((quoted) => quoted.test(line));
}

function toMessage(block: readonly string[]): StderrMessage {
  const [first = "", ...rest] = block;
  const text = [first.trim(), ...rest].join("\n");
  return { text, isError: ERROR_WORDS.test(text), isAside: ASIDE.test(text) };
}

function continues(block: readonly string[], line: string, wasBlank: boolean): boolean {
  const last = block.at(-1) ?? "";
  if (block.length >= MOST_LINES) return false;
  if (isOpen(block) || /^\s/.test(line)) return true;
  if (wasBlank) return false;
  if (/[:,({[=]$/.test(last) || /^[,;)\]}<]/.test(line)) return true;
  return last.length >= SHORTEST_WRAPPED && /^[a-z\d(]/.test(line);
}

/** The most lines of a text in parentheses; an open one is more often a slip than an open brace. */
const MOST_IN_PARENTHESES = 3;

/** True if a brace, bracket or parenthesis of the message is not closed yet. */
function isOpen(block: readonly string[]): boolean {
  const marks = block.join("\n").replace(/"(?:[^"\\\n]|\\.){0,4000}"/g, "");
  const count = (mark: RegExp): number => marks.match(mark)?.length ?? 0;
  const isOpenText = block.length <= MOST_IN_PARENTHESES && count(/\(/g) > count(/\)/g);
  return isOpenText || count(/[{[]/g) > count(/[}\]]/g);
}
