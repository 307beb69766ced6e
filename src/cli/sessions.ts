import type { Command } from "commander";
import { RunError } from "../spec/failure/run-error.ts";
import type { Message } from "../spec/message.ts";
import { targetName } from "../spec/request.ts";
import type { SessionRecord, SessionRemoval } from "../spec/session.ts";
import { findSession } from "./ask/ask-session.ts";
import { openPrinter } from "./cancellation.ts";
import { EXIT } from "./exit-codes.ts";
import { clientOfState } from "./open-client.ts";
import { refuse } from "./show/print-refusal.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { type Colors, type Page, pageWidth, printJson, textPage } from "./terminal/screen.ts";
import { type Cell, headings, tableLines, wrapWords } from "./terminal/table.ts";
import { shortPath, toOneLine, toShortTime, toTerminalText } from "./terminal/terminal-text.ts";

const ID = "the id, the beginning of the id, or the name";

export function addSessionsCommand(program: Command, exit: (code: number) => void): void {
  const sessions = program
    .command("sessions")
    .summary("list, show or remove stored sessions")
    .description("List the stored sessions, the last used first. cox ask --resume and cox chat --resume continue one.")
    .usage("[options] [list|show|rm]")
    .option("--json", "print JSON")
    .addHelpText("after", helpAfter(["cox sessions", "cox sessions show 4f1c", "cox sessions rm 4f1c --transcript"]))
    .action(async (options: JsonOption) => exit(await list(options.json === true)));
  sessions
    .command("list")
    .summary("list the stored sessions")
    .description("List the stored sessions, the last used first.")
    .option("--json", "print the records as JSON")
    .addHelpText("after", helpAfter(["cox sessions list", "cox sessions list --json"]))
    .action(async (_, command: Command) => exit(await list(isJson(command))));
  sessions
    .command("show")
    .summary("show a session with its conversation")
    .description("Show the record of a session and its conversation, if its texts are stored.")
    .argument("<id>", ID)
    .option("--json", "print the record and the messages as JSON")
    .addHelpText("after", helpAfter(["cox sessions show 4f1c", "cox sessions show review --json"]))
    .action(async (id: string, _, command: Command) => exit(await show(id, isJson(command))));
  sessions
    .command("rm")
    .summary("remove a session")
    .description("Remove a stored session. The CLI keeps its own transcript of it, unless --transcript removes that too.")
    .argument("<id>", ID)
    .option("--transcript", "remove the transcript of the CLI too, if its place is known")
    .option("--json", "print what was removed as JSON")
    .addHelpText("after", helpAfter(["cox sessions rm 4f1c", "cox sessions rm review --transcript"]))
    .action(async (id: string, options: { readonly transcript?: true }, command: Command) =>
      exit(await remove(id, options.transcript === true, isJson(command))),
    );
}

type JsonOption = { readonly json?: true };

function isJson(command: Command): boolean {
  return command.optsWithGlobals()["json"] === true;
}

async function list(asJson: boolean): Promise<number> {
  const screen = openPrinter();
  const records = (await clientOfState()).sessions();
  if (asJson) printJson(screen, records, 2);
  else screen.out(sessionsTable(records, screen.outColors, textPage()));
  return EXIT.answered;
}

async function show(id: string, asJson: boolean): Promise<number> {
  const screen = openPrinter();
  const client = await clientOfState();
  const record = findSession(client, id);
  if ("code" in record) return refuse(record, "text", {});
  const messages = client.resume(record.id)?.messages() ?? [];
  if (asJson) printJson(screen, { ...record, messages }, 2);
  else screen.out(sessionPage(record, messages, screen.outColors));
  return EXIT.answered;
}

async function remove(id: string, transcript: boolean, asJson: boolean): Promise<number> {
  const screen = openPrinter();
  const client = await clientOfState();
  const record = findSession(client, id);
  if ("code" in record) return refuse(record, "text", {});
  try {
    const removal = client.removeSession(record.id, { transcript });
    if (removal !== undefined && asJson) printJson(screen, removal, 2);
    else if (removal !== undefined) screen.out(removalLines(removal, pageWidth()));
    return EXIT.answered;
  } catch (error) {
    if (RunError.is(error)) return refuse(error.failure, "text", {});
    throw error;
  }
}

/** The columns that a narrow page omits, the least important first. */
const SPARE = [5, 3, 2, 1];

const ID_LENGTH = 8;

function sessionsTable(records: readonly SessionRecord[], { bold }: Colors, page: Page, now: number = Date.now()): string {
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

function sessionPage(record: SessionRecord, messages: readonly Message[], { bold, dim }: Colors): string {
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

function removalLines({ record, transcripts, removedTranscripts }: SessionRemoval, width: number): string {
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
