import type { Command } from "commander";
import type { Client } from "../../client.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { clientWith } from "../open-client.ts";
import { AnswerView } from "../show/answer-view.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { indentedScreen, pageWidth, printJson, processScreen, type Screen } from "../terminal/screen.ts";
import { commandLines, hang, wrapWords } from "../terminal/table.ts";
import { textWidth } from "../terminal/text-width.ts";
import { ACTS, type Act, DEMO_RETRIES, lookForLeftovers, type Played, playAct, type Verdict } from "./acts.ts";

export function addDemoCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("demo")
    .summary("run a short demo without an account")
    .description(
      "Run eight short examples with the built-in rehearsal CLI: answers, tools, structured output, failures and cancellation.",
    )
    .option("--json", "print the results as JSON")
    .addHelpText("after", helpAfter(["cox demo", "cox demo --json"]))
    .action(async (options: { readonly json?: true }) => exit(await demo(options.json === true)));
}

type Shown = { readonly act: Act; readonly played: Played; readonly verdict: Verdict };

async function demo(asJson: boolean): Promise<number> {
  const cancellation = listenForCancellation();
  const view = asJson ? undefined : new DemoView(processScreen(), pageWidth());
  // A quota failure in one act must not affect the next one.
  const client = await clientWith([], { retry: { retries: DEMO_RETRIES }, cooldown: false });
  view?.opening();
  const shown = await playAll(client, view, cancellation);
  const closingAt = performance.now();
  await client.close();
  const cancelled = cancellation.exitCode();
  if (cancelled !== undefined) return cancelled;
  const leftovers = lookForLeftovers(
    shown.map(({ played }) => played.runId),
    performance.now() - closingAt,
  );
  const isRight = leftovers.isRight && shown.every(({ verdict }) => verdict.isRight);
  view?.verdict(leftovers);
  view?.closing(isRight);
  if (asJson) printJson(processScreen(), toData(shown, leftovers, isRight), 2);
  return isRight ? EXIT.answered : EXIT.failed;
}

async function playAll(client: Client, view: DemoView | undefined, { signal }: Cancellation): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const [index, act] of ACTS.entries()) {
    const answer = view?.act(act, index + 1);
    const played = await playAct(client, act, signal, (event) => answer?.show(event));
    const verdict = act.judge(played);
    if (signal.aborted) return shown;
    view?.verdict(verdict);
    shown.push({ act, played, verdict });
  }
  return shown;
}

function toData(shown: readonly Shown[], leftovers: Verdict, isRight: boolean): object {
  const acts = shown.map(({ act, played, verdict }) => ({
    title: act.title,
    command: `cox ${act.command.join(" ")}`,
    ok: verdict.isRight,
    seen: verdict.line,
    durationMs: Math.round(played.tookMs),
    result: played.result,
  }));
  return { ok: isRight, acts, leftovers: { ok: leftovers.isRight, seen: leftovers.line } };
}

const INDENT = "   ";
const WIDEST = 84;

export class DemoView {
  private readonly screen: Screen;
  /** The width of the text, without the indent. */
  private readonly width: number;

  constructor(screen: Screen, pageWidth: number) {
    this.screen = screen;
    this.width = Math.min(pageWidth, WIDEST) - INDENT.length;
  }

  opening(): void {
    const { bold, dim } = this.screen.outColors;
    this.screen.out(`${bold("Coxswain, a demonstration")}\n`);
    const about = "Each example runs the rehearsal CLI as a real process. It needs no account.";
    for (const line of wrapWords(about, this.width + INDENT.length)) this.screen.out(`${dim(line)}\n`);
  }

  act(act: Act, number: number): AnswerView {
    const { bold, cyan, dim } = this.screen.outColors;
    const [title = "", ...more] = wrapWords(act.title, this.width);
    this.screen.out(`\n${bold(`${number}  ${title}`)}\n`);
    for (const line of more) this.screen.out(`${INDENT}${bold(line)}\n`);
    if (act.file !== undefined) this.screen.out(`${INDENT}${dim("$")} ${cyan(`cat ${act.file.name}`)}\n`);
    for (const line of act.file?.content.split("\n") ?? []) this.screen.out(`${INDENT}${dim(line)}\n`);
    const command = commandLines(`cox ${act.command.join(" ")}`, this.width - 2);
    for (const line of hang(`${dim("$")} `, command.map(cyan), 2)) this.screen.out(`${INDENT}${line}\n`);
    const chain = { targets: act.targets, attempts: DEMO_RETRIES + 1 };
    return new AnswerView(indentedScreen(this.screen, INDENT, this.width), chain);
  }

  verdict({ isRight, line }: Verdict): void {
    const { green, red, dim } = this.screen.outColors;
    const words = wrapWords(isRight ? line : `unexpected result: ${line}`, this.width - 2, true).map(isRight ? dim : red);
    for (const each of hang(`${isRight ? green("✓") : red("✗")} `, words, 2)) this.screen.out(`${INDENT}${each}\n`);
  }

  closing(isRight: boolean): void {
    const { bold, cyan, dim, red } = this.screen.outColors;
    const rows = [
      ['cox ask "What does a coxswain do?"', "the same with a CLI that you are logged in to"],
      ["cox providers", "which CLIs are installed, and how to install the others"],
      ["cox ask --help", "all options; the documentation is in the folder docs"],
    ] as const;
    const aside = rows.map(([command, meaning]) => `  ${cyan(command.padEnd(36))} ${dim(meaning)}`);
    const below = rows.flatMap(([command, meaning]) => [
      `  ${cyan(command)}`,
      ...wrapWords(meaning, this.width - 1).map((line) => `    ${dim(line)}`),
    ]);
    const page = this.width + INDENT.length;
    const next = aside.every((line) => textWidth(line) <= page) ? aside : below;
    const verdict = isRight
      ? bold("All eight examples gave the expected result. Next:")
      : red("Some examples gave an unexpected result.");
    this.screen.out(`\n${verdict}\n${next.join("\n")}\n`);
  }
}
