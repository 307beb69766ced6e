import { targetName } from "../../compare/compare-targets.ts";
import type { Message } from "../../spec/message.ts";
import type { SessionRecord, SessionRemoval } from "../../spec/session.ts";
import type { Colors, Page } from "../terminal/screen.ts";
import { type Cell, headings, tableLines, wrapWords } from "../terminal/table.ts";
import { shortPath, toOneLine, toShortTime, toTerminalText } from "../terminal/terminal-text.ts";

/** The columns that a narrow page omits, the least important first. */
const SPARE = [5, 3, 2, 1];

const ID_LENGTH = 8;

export function sessionsTable(records: readonly SessionRecord[], { bold }: Colors, page: Page, now: number = Date.now()): string {
  if (records.length === 0) return "No session is stored.\n";
  const head = headings(["ID", "NAME", "TARGET", "TURNS", "LAST USED", "DIRECTORY"], bold);
  const rows = records.map((record) => toCells(record, now));
  return [...tableLines([head, ...rows], page, SPARE), ""].join("\n");
}

function toCells(record: SessionRecord, now: number): readonly Cell[] {
  return [
    record.id.slice(0, ID_LENGTH),
    toOneLine(record.name ?? "", 30),
    toOneLine(targetName(record.targets[0]), 40),
    String(record.turns),
    toShortTime(record.updatedAt, now),
    toOneLine(shortPath(record.cwd), 60),
  ];
}

export function sessionPage(record: SessionRecord, messages: readonly Message[], { bold, dim }: Colors): string {
  const { cli, usage, costUsd } = record;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["id", record.id],
    ["name", record.name],
    ["targets", record.targets.map(targetName).join(", ")],
    ["directory", record.cwd],
    ["mode", record.settings.mode ?? "completion"],
    ["session of the CLI", cli === undefined ? "none" : `${cli.provider} ${cli.id}`],
    ["turns", String(record.turns)],
    ["tokens", usage?.totalTokens === undefined ? undefined : String(usage.totalTokens)],
    ["cost", costUsd === undefined ? undefined : `$${costUsd}`],
    ["created", record.createdAt],
    ["last used", record.updatedAt],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${bold(`${name}:`)} ${toOneLine(value, 400)}`]));
  const said = messages.flatMap(({ role, text }) => ["", dim(`${role}:`), toTerminalText(text)]);
  const kept = record.keepsThread ? [] : ["", "The texts of this session are not stored."];
  return [...lines, ...said, ...kept, ""].join("\n");
}

export function removalLines({ record, transcripts, removedTranscripts }: SessionRemoval, width: number): string {
  const { id, name, cli } = record;
  const removed = `Removed: ${id}${name === undefined ? "" : ` (${toOneLine(name, 60)})`}.`;
  return [removed, ...wrapWords(aboutTranscripts(), width), ""].join("\n");

  function aboutTranscripts(): string {
    if (cli === undefined) return "The CLI stored nothing.";
    const provider = toOneLine(cli.provider, 60);
    if (transcripts.length === 0) return `Coxswain found no file of ${provider} with this session; it may keep one elsewhere.`;
    const paths = transcripts.map((path) => shortPath(path)).join(", ");
    if (removedTranscripts) return `Removed the transcript of ${provider}: ${paths}.`;
    return `The transcript of ${provider} stays: ${paths}. To remove it too, use --transcript.`;
  }
}
