import type { Command } from "commander";
import { RunError } from "../../spec/failure/run-error.ts";
import { findSession } from "../ask/ask-session.ts";
import { openPrinter } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { clientOfState } from "../open-client.ts";
import { refuse } from "../show/print-refusal.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { pageWidth, printJson, textPage } from "../terminal/screen.ts";
import { removalLines, sessionPage, sessionsTable } from "./sessions-view.ts";

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
