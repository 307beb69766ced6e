// Plays random conversations with one CLI and prints those whose counts are not the bill. A program of its own, because a start of a child
// takes 5 ms of a process with 250 MB, as a worker of the tests is, and half of one with 50 MB.
import "../../support/built/hold-guardian.ts";
import { writeSync } from "node:fs";
import fc from "fast-check";
import { type BilledCli, type Conversation, conversations, type ProviderName } from "../conversation.ts";
import { judge } from "../judge.ts";
import { openPlace } from "../open-place.ts";
import { type PlayedRun, Player } from "../play.ts";
import { BILL_SEED, casesOf, playAll, textOf } from "../report.ts";
import { ScriptedMachine } from "../scripted/machine.ts";

/** The conversations that are played at the same time. */
const AT_ONCE = 6;

const cli = process.argv[2] as BilledCli;
const machine = new ScriptedMachine();
await machine.listen();
const drawn = fc.sample(conversations(cli), { numRuns: Number(process.argv[3]), seed: BILL_SEED });
const reports = await playAll(cli, casesOf(drawn), AT_ONCE, play);
await machine.close();
writeSync(1, textOf(reports));
process.exit();

async function play(conversation: Conversation): Promise<readonly string[]> {
  await using place = openPlace(machine, cli, conversation);
  const player = new Player(place.open, cli.split(" ")[0] as ProviderName, conversation, place.workspace);
  const runs: PlayedRun[] = [];
  for (const step of conversation.steps) {
    place.ledger.run = runs.length;
    place.model.acts = [...step.acts];
    place.model.answer = step.do === "schema" ? '{"n":1}' : "Yes.";
    runs.push(await player.play(step));
  }
  return judge(runs, place.ledger);
}
