import type { Command } from "commander";
import type { Failure } from "../../spec/failure/failure.ts";
import { findAskedSession, openAskedSession, targetsOf } from "../ask/ask-session.ts";
import { trustOf } from "../ask/trust-of.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT, exitCodeOf, RUN_EXIT_WORDS } from "../exit-codes.ts";
import { firstTarget, readTargets } from "../find-provider.ts";
import { localClient, readSoundFiles } from "../open-client.ts";
import { addChatOptions } from "../options/ask-flags.ts";
import { type AskOptions, checkAgentOptions, toRequest } from "../options/ask-options.ts";
import { addShowOptions, type ShowOptions } from "../options/show-options.ts";
import { readSettings } from "../settings.ts";
import { adviseFor } from "../show/allow-advice.ts";
import { howToShow } from "../show/how-to-show.ts";
import { printRun } from "../show/print-run.ts";
import { failureLines } from "../terminal/failure-lines.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { processScreen, type Screen } from "../terminal/screen.ts";
import { toOneLine } from "../terminal/terminal-text.ts";
import { type Chat, COMMANDS, type CommandEnd, executeCommand, KEYS, nameOf } from "./chat-commands.ts";
import { type ChatInput, pipedInput, terminalInput } from "./chat-input.ts";
import { lineOfChat, listOfChat } from "./chat-lines.ts";

type ChatOptions = AskOptions & ShowOptions;

/** Adds `cox chat`: a conversation at the terminal. */
export function addChatCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("chat")
    .summary("talk with a CLI in a session")
    .description(
      "Talk with a CLI. Each line is a message; the conversation is a session that is stored and can be continued. /help in the chat lists its commands. From a file or a pipe each line is a message too.",
    );
  addChatOptions(command);
  addShowOptions(command.optionsGroup("On a terminal:"))
    .addHelpText("after", helpAfter(EXAMPLES, RUN_EXIT_WORDS))
    .action(async (options: ChatOptions) => exit(await chat(options)));
}

const EXAMPLES = [
  "cox chat",
  "cox chat -c",
  "cox chat --session review --provider claude/opus,codex",
  "cox chat --agent --permission-mode plan",
  "cox chat --provider rehearsal   # no account needed",
];

async function chat(options: ChatOptions): Promise<number> {
  checkAgentOptions(options);
  const files = readSoundFiles(options.config);
  const settings = readSettings(options, process.env, files);
  const request = await toRequest(options, settings.system?.value || undefined);
  const local = localClient(files, { retry: { retries: options.retries } }, options);
  const screen = processScreen({ raw: options.raw === true });
  try {
    const asked = (await findAskedSession(local, options)) ?? {};
    if ("code" in asked) return refuse(asked, screen);
    const named = readTargets(local.providers, settings, options.fallback);
    const targets = targetsOf(asked, options, named) ?? firstTarget(local.providers, settings);
    if ("failure" in targets) return refuse(targets.failure, screen);
    const { budget, maxWaitMs, ...untrusted } = request;
    const { stdin, stdout, stderr } = process;
    const person = stdin.isTTY && stdout.isTTY && stderr.isTTY ? { screen, signal: new AbortController().signal } : undefined;
    const trust = await trustOf({ providers: local.providers, targets, asked, request: untrusted }, options, person);
    const rest = { ...untrusted, ...trust };
    const client = await local.open();
    const session = openAskedSession(client, asked, { targets, settings: rest, flags: options });
    const totalMs = options.timeout === undefined ? undefined : Math.ceil(options.timeout * 1000);
    const once = {
      ...(budget !== undefined && { budget }),
      ...(maxWaitMs !== undefined && { maxWaitMs }),
      ...(totalMs !== undefined && { timeouts: { totalMs } }),
    };
    return await talk({ client, session }, { options, screen, once });
  } finally {
    await local.close();
  }
}

function refuse(failure: Failure, screen: Screen): number {
  screen.note(failureLines(failure, screen.noteColors, screen.noteWidth?.()));
  return exitCodeOf(failure);
}

type Surroundings = { readonly options: ChatOptions; readonly screen: Screen; readonly once: object };

/** Reads messages and prints their answers until the input ends. */
async function talk(chat: Chat, { options, screen, once }: Surroundings): Promise<number> {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY && stdout.isTTY;
  const say = sayTo(screen);
  const input = isTerminal ? atTerminal(chat, say) : pipedInput(stdin);
  const shown = howToShow(
    options,
    { output: "text", isAgent: chat.session.record.settings.mode === "agent", span: "chat" },
    screen,
  );
  const onPermission = shown.desk?.onPermission;
  let failure: Failure | undefined;
  const stop = listenForEnd(chat, input);
  try {
    if (isTerminal && options.quiet !== true) say({ line: openingLine(chat) });
    for (;;) {
      const message = await input.next(`${toOneLine(nameOf(chat.session), 40)}> `);
      if (message === undefined)
        return stop.exitCode() ?? (isTerminal || failure === undefined ? EXIT.answered : exitCodeOf(failure));
      if (message.trim() === "") continue;
      if (message.startsWith("/")) {
        const end = executeCommand(chat, message);
        if (end === "exit") return EXIT.answered;
        say(end);
        continue;
      }
      const denial = onPermission && { onPermissionDenied: "warn" as const };
      const stream = chat.session.stream({ prompt: message, ...once, ...denial }, onPermission && { onPermission });
      const chain = { targets: chat.session.record.targets, attempts: options.retries + 1 };
      const advise = adviseFor(chat.client.providers);
      failure = await printRun({
        output: "text",
        stream,
        chain,
        explain: (each) => each,
        advise,
        isCancelled: stop.watch(),
        ...shown,
      });
    }
  } finally {
    stop.dispose();
    input.close();
  }
}

type Say = (said: Exclude<CommandEnd, "exit">) => void;

/** Prints what the chat itself says, beside the answers. */
function sayTo({ note, noteColors, noteWidth = () => Number.POSITIVE_INFINITY }: Screen): Say {
  return (said) => {
    const width = noteWidth();
    const text = said === "help" ? `${listOfChat(COMMANDS, width)}\n${lineOfChat(KEYS, width)}` : lineOfChat(said.line, width);
    note(`${noteColors.dim(text)}\n`);
  };
}

function atTerminal({ session }: Chat, say: Say): ChatInput {
  const earlier = session.messages().flatMap(({ role, text }) => (role === "user" ? [text] : []));
  return terminalInput({ input: process.stdin, output: process.stdout }, earlier, () =>
    say({ line: "Ctrl-D or /exit leaves the chat." }),
  );
}

function openingLine({ session: { id, record } }: Chat): string {
  const earlier = record.turns === 0 ? "" : `, ${record.turns} earlier turns`;
  return `Session ${record.name ?? id.slice(0, 8)}${earlier}. /help lists the commands, Ctrl-D leaves.`;
}

type EndOfChat = {
  exitCode(): number | undefined;
  /** Begins an answer; the function says whether it was cancelled. */
  watch(): () => boolean;
  dispose(): void;
};

/** Ctrl-C stops the answer, not the chat. SIGTERM and a closed stdout end both. */
function listenForEnd(chat: Chat, input: ChatInput): EndOfChat {
  let exitCode: number | undefined;
  let cancelled = 0;
  const onInterrupt = (): void => {
    cancelled += 1;
    chat.session.interrupt();
  };
  const end = (code: number): void => {
    exitCode ??= code;
    chat.session.interrupt();
    input.close();
  };
  const onTerminate = (): void => end(EXIT.terminated);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  onReaderLeaving((isFailure) => end(isFailure ? EXIT.failed : EXIT.answered));
  return {
    exitCode: () => exitCode,
    watch: () => {
      const before = cancelled;
      return () => cancelled > before || exitCode !== undefined;
    },
    dispose: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}
