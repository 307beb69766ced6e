import type { Client } from "../../client.ts";
import type { ConfigFile } from "../../config/read-config-file.ts";
import { defined } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RunContext, RunStream } from "../../spec/stream.ts";
import type { AttemptStart, RunEvent } from "../../spec/wire/events.ts";
import { SETTING_NAMES, type Settings } from "../settings.ts";
import type { Screen } from "../terminal/screen.ts";
import { shortPath, toDuration, toOneLine } from "../terminal/terminal-text.ts";

const LONGEST_WORD = 400;
const LONGEST_LINE = 1000;

/** The notes of `--verbose`: where settings come from, what is started, and times. Secrets are left out as in `--dry-run`. */
export class VerboseNotes {
  private readonly client: Client;
  private readonly request: RunRequest;
  private readonly context: RunContext;
  private readonly screen: Screen;
  private readonly planned = new Set<string>();
  private hasText = false;

  constructor(client: Client, request: RunRequest, context: RunContext, screen: Screen) {
    this.client = client;
    this.request = request;
    this.context = context;
    this.screen = screen;
  }

  opening(files: readonly ConfigFile[], settings: Settings): void {
    for (const { scope, path } of files)
      this.note(`configuration of the ${scope === "given" ? "option" : scope}: ${shortPath(path)}`);
    for (const name of SETTING_NAMES) {
      const setting = settings[name];
      if (setting !== undefined) this.note(`${name}: ${setting.value} (${setting.from.label})`);
    }
  }

  way(words: string): void {
    this.note(words);
  }

  /** The stream, with a note for each event of interest: before text, so that no line of it is broken, and after all others. */
  watch(stream: RunStream): RunStream {
    const see = (event: RunEvent): void => this.see(event);
    const events = async function* (): AsyncGenerator<RunEvent> {
      for await (const event of stream) {
        if (event.type === "text-delta") see(event);
        yield event;
        if (event.type !== "text-delta") see(event);
      }
    };
    const result = async (): ReturnType<RunStream["result"]> => {
      for await (const event of stream) see(event);
      return await stream.result();
    };
    return { ...stream, [Symbol.asyncIterator]: events, result };
  }

  private see(event: RunEvent): void {
    const at = `after ${toDuration(event.atMs)}`;
    if (event.type === "attempt-start") this.seeAttempt(event, at);
    else if (event.type === "session-start") {
      const { cliVersion, model, auth, sessionId } = event;
      const facts = [cliVersion && `version ${cliVersion}`, model && `model ${model}`, auth && `login by ${auth}`];
      this.note(`session ${sessionId} ${at}${facts.map((fact) => (fact ? `, ${fact}` : "")).join("")}`);
    } else if (event.type === "text-delta" && !this.hasText) {
      this.hasText = true;
      this.note(`first text ${at}`);
    } else if (event.type === "warning") this.note(`warning ${event.code}: ${event.message}`);
    else if (event.type === "run-end") this.note(`ended ${at}: ${event.failure?.code ?? event.finish}`);
  }

  private seeAttempt({ provider, model, attempt, transport }: AttemptStart, at: string): void {
    const target = defined({ provider, model, transport });
    this.note(`attempt ${attempt} ${at}: ${provider}${model === undefined ? "" : `, model ${model}`}`);
    const key = `${provider}/${model ?? ""}`;
    if (this.planned.has(key)) return;
    this.planned.add(key);
    const planned = this.client.plan(target, this.request, this.context);
    if ("failure" in planned) return;
    const { command, args, cwd } = planned.plan;
    const words = [command, ...args].map(toWord);
    this.note(`started: ${words.join(" ")} (${cwd.kind === "given" ? `in ${cwd.path}` : "in a private directory"})`);
  }

  private note(line: string): void {
    this.screen.note(`${this.screen.noteColors.dim(`# ${toOneLine(line, LONGEST_LINE)}`)}\n`);
  }
}

/** A word of a command line for people; a private file of the run is shown as `<name>`. */
function toWord(word: string): string {
  const named = word.replace(/\0([^\0]*)\0/g, "<$1>");
  return toOneLine(/^[\w@%+=:,./-]+$/.test(named) ? named : JSON.stringify(named), LONGEST_WORD);
}
