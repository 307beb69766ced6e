import type { Client } from "../../client.ts";
import { failureSentences } from "../../spec/failure/failure.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import { defined } from "../../spec/json.ts";
import { targetName } from "../../spec/request.ts";
import type { Session } from "../../spec/session.ts";
import { UsageError } from "../usage-error.ts";

export type Chat = { readonly client: Client; session: Session };

/** What a command of the chat did: a line for the person, the list of the commands, or the end of the chat. */
export type CommandEnd = { readonly line: string } | "help" | "exit";

export const COMMANDS = [
  ["/provider [id]", "show the CLI, or hand the conversation over to another one: /provider codex"],
  ["/model [name]", "show the model, or choose another one of the same CLI"],
  ["/handover <id>", "hand the conversation over to a CLI, which gets it in a new session of its own"],
  ["/fork [name]", "continue in a copy of this session; the session itself stays as it is"],
  ["/help", "show this list"],
  ["/exit", "leave; so does Ctrl-D"],
] as const;

export const KEYS = "Ctrl-C stops an answer. A line that ends with \\ goes on in the next line, and so does a code block (```).";

/** Executes a line that begins with a slash; a mistake in it is a line too. */
export function executeCommand(chat: Chat, line: string): CommandEnd {
  const [name = "", ...words] = line.trim().split(/\s+/);
  const rest = words.join(" ");
  try {
    switch (name) {
      case "/help":
        return "help";
      case "/exit":
      case "/quit":
        return "exit";
      case "/provider":
        return { line: rest === "" ? `The CLI is ${nameOf(chat.session)}.` : handOver(chat, rest) };
      case "/handover":
        if (rest === "") throw new UsageError("/handover needs a CLI.", "Write /handover codex, for example.");
        return { line: handOver(chat, rest) };
      case "/model":
        return { line: rest === "" ? `The target is ${nameOf(chat.session)}.` : chooseModel(chat, rest) };
      case "/fork":
        return { line: fork(chat, rest) };
      default:
        throw new UsageError(`There is no command ${name}.`, "/help lists the commands. A message may begin with a blank.");
    }
  } catch (error) {
    if (error instanceof UsageError) return { line: `${error.message} ${error.hint}` };
    if (RunError.is(error)) return { line: failureSentences(error.failure) };
    throw error;
  }
}

export function nameOf({ record: { targets } }: Session): string {
  return targets.map(targetName).join(",");
}

function handOver({ session }: Chat, choice: string): string {
  session.handOver(choice);
  return `The next message goes to ${nameOf(session)}.`;
}

function chooseModel({ session }: Chat, model: string): string {
  const [{ provider, profile }, ...others] = session.record.targets;
  session.handOver([defined({ provider, model, profile }), ...others]);
  return `The next message goes to ${nameOf(session)}.`;
}

function fork(chat: Chat, name: string): string {
  chat.session = chat.session.fork(name === "" ? {} : { name });
  return `This is now the session ${chat.session.record.name ?? chat.session.id}.`;
}
