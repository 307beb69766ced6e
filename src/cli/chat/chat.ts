import type { Command } from "commander";
import type { Failure } from "../../spec/failure/failure.ts";
import { defined } from "../../spec/json.ts";
import { findAskedSession, openAskedSession, targetsOf, trustOf } from "../ask/ask-session.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT, exitCodeOf, RUN_EXIT_WORDS } from "../exit-codes.ts";
import { installedTarget, readTargets } from "../find-provider.ts";
import { localClient, readSoundFiles } from "../open-client.ts";
import { addChatOptions, addShowOptions, type ShowOptions } from "../options/ask-flags.ts";
import { type AskOptions, checkAgentOptions, toRequest } from "../options/ask-options.ts";
import { toMilliseconds } from "../options/read-option.ts";
import { readSettings } from "../settings.ts";
import { allowAdviceOf } from "../show/allow-advice.ts";
import { refuse } from "../show/print-refusal.ts";
import { openDisplay, printRun } from "../show/print-run.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { processScreen, type Screen } from "../terminal/screen.ts";
import { hang, wrapWords } from "../terminal/table.ts";
import { toOneLine } from "../terminal/terminal-text.ts";
import { type Chat, COMMANDS, type CommandEnd, executeCommand, KEYS, nameOf } from "./chat-commands.ts";
import { type ChatInput, pipedInput, terminalInput } from "./chat-input.ts";

type ChatOptions = AskOptions & ShowOptions;

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
    if ("code" in asked) return refuse(asked, "text", {});
    const named = readTargets(local.names, settings, options.fallback);
    const targets = targetsOf(asked, options, named) ?? installedTarget(local.names.providers, settings);
    if ("failure" in targets) return refuse(targets.failure, "text", {});
    const { budget, maxWaitMs, ...untrusted } = request;
    const { stdin, stdout, stderr } = process;
    const person = stdin.isTTY && stdout.isTTY && stderr.isTTY ? { screen, signal: new AbortController().signal } : undefined;
    const trust = await trustOf({ providers: local.names.providers, targets, asked, request: untrusted }, options, person);
    const rest = { ...untrusted, ...trust };
    const client = await local.open();
    const session = openAskedSession(client, asked, { targets, settings: rest, flags: options });
    const totalMs = toMilliseconds(options.timeout);
    const once = defined({ budget, maxWaitMs, timeouts: totalMs === undefined ? undefined : { totalMs } });
    return await talk({ client, session }, { options, screen, once });
  } finally {
    await local.close();
  }
}

type Surroundings = { readonly options: ChatOptions; readonly screen: Screen; readonly once: object };

async function talk(chat: Chat, { options, screen, once }: Surroundings): Promise<number> {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY && stdout.isTTY;
  const say = sayTo(screen);
  const input = isTerminal ? atTerminal(chat, say) : pipedInput(stdin);
  const shown = openDisplay(
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
      const allowAdvice = allowAdviceOf(chat.client.providers);
      failure = await printRun({
        output: "text",
        stream,
        chain,
        explain: (each) => each,
        allowAdvice,
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

function sayTo({ note, noteColors, noteWidth = () => Number.POSITIVE_INFINITY }: Screen): Say {
  return (said) => note(`${noteColors.dim(chatText(said, noteWidth()))}\n`);
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

const GAP = 2;

function chatText(said: Exclude<CommandEnd, "exit">, width: number): string {
  if (said !== "help") return wrapWords(said.line, width).join("\n");
  const column = Math.max(...COMMANDS.map(([name]) => name.length)) + GAP;
  const list = COMMANDS.flatMap(([name, meaning]) => hang(name.padEnd(column), wrapWords(meaning, width - column)));
  return [...list, ...wrapWords(KEYS, width)].join("\n");
}
