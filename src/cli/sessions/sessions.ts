import type { Command } from "commander";
import type { Client } from "../../client.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import { findSession } from "../ask/ask-session.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import { clientWith, readConfigFiles } from "../open-client.ts";
import { failureLines } from "../terminal/failure-lines.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { pageWidth, processScreen, textPage } from "../terminal/screen.ts";
import { toJsonText } from "../terminal/terminal-text.ts";
import { removalLines, sessionPage, sessionsTable } from "./sessions-view.ts";

const ID = "the id, the beginning of the id, or the name";

/** Adds `cox sessions`: lists, shows and removes stored sessions. */
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
  const screen = openScreen();
  const records = (await sessionsClient()).sessions();
  screen.out(asJson ? toJson(records) : sessionsTable(records, screen.outColors, textPage()));
  return EXIT.answered;
}

async function show(id: string, asJson: boolean): Promise<number> {
  const screen = openScreen();
  const client = await sessionsClient();
  const record = findSession(client, id);
  if ("code" in record) return fail(record);
  const messages = client.resume(record.id)?.messages() ?? [];
  screen.out(asJson ? toJson({ ...record, messages }) : sessionPage(record, messages, screen.outColors));
  return EXIT.answered;
}

async function remove(id: string, transcript: boolean, asJson: boolean): Promise<number> {
  const screen = openScreen();
  const client = await sessionsClient();
  const record = findSession(client, id);
  if ("code" in record) return fail(record);
  try {
    const removal = client.removeSession(record.id, { transcript });
    if (removal !== undefined) screen.out(asJson ? toJson(removal) : removalLines(removal, pageWidth()));
    return EXIT.answered;
  } catch (error) {
    if (RunError.is(error)) return fail(error.failure);
    throw error;
  }
}

function openScreen(): ReturnType<typeof processScreen> {
  onReaderLeaving(() => process.exit(EXIT.answered));
  return processScreen();
}

/** Mistakes in configuration files are ignored here. */
function sessionsClient(): Promise<Client> {
  return clientWith(readConfigFiles(undefined));
}

function fail(failure: Failure): number {
  const { note, noteColors, noteWidth } = processScreen();
  note(failureLines(failure, noteColors, noteWidth?.()));
  return exitCodeOf(failure);
}

function toJson(value: object): string {
  return `${toJsonText(value, 2)}\n`;
}
