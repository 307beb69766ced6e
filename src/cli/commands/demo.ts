import type { Command } from "commander";
import type { Client } from "../../client.ts";
import { type Cancellation, listenForCancellation } from "../cancellation.ts";
import { ACTS, DEMO_RETRIES } from "../demo/acts.ts";
import { type Act, lookForLeftovers, type Played, playAct, type Verdict } from "../demo/play-act.ts";
import { EXIT } from "../exit-codes.ts";
import { clientWith } from "../open-client.ts";
import { DemoView } from "../render/demo-view.ts";
import { helpAfter } from "../render/help.ts";
import { pageWidth, processScreen } from "../render/screen.ts";
import { toJsonText } from "../render/terminal-text.ts";

/** Adds `cox demo`: shows the whole product in a few seconds, without an account. */
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
  if (asJson) process.stdout.write(`${toJsonText(toData(shown, leftovers, isRight), 2)}\n`);
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
