import { expect, it } from "vitest";
import type { Channel } from "../process/channel/channel.ts";
import { ParkedTurnSink } from "../process/channel/open-turns.ts";
import { DEFAULT_WARM } from "../request/defaults.ts";
import { type KeptTurn, KeptTurns } from "./kept-turns.ts";

/** No process: its turns take no memory. */
const CHANNEL: Pick<Channel, "pid"> = { pid: () => undefined };

/** A turn that was left with an answer, as a turn of a session if one is given. */
function leftTurn(session?: string): KeptTurn {
  const neverResumed = (): never => {
    throw new Error("No run continues this turn.");
  };
  const turn = new ParkedTurnSink({ channel: CHANNEL as Channel, waitsFor: "message", resume: neverResumed, giveUp: () => {} });
  const about = { provider: "codex", transport: "resident", identity: "", calls: new Map(), text: "" } as const;
  return { ...about, turn, ...(session !== undefined && { session }) };
}

it("sessions and conversations are bounded apart, the oldest ends first, and a session is given up by its id in any case", () => {
  const parked = new KeptTurns({ ...DEFAULT_WARM, conversations: 2 });
  const turns = [undefined, undefined, "0a", "0b", "0c"].map(leftTurn);
  for (const [index, left] of turns.entries()) parked.put([`${index}`], left);
  const open = (): readonly boolean[] => turns.map(({ turn }) => turn.isOpen);
  expect(open()).toEqual([true, true, false, true, true]);
  parked.endSession("0B");
  expect(open()).toEqual([true, true, false, false, true]);
  parked.close();
  expect(open()).toEqual([false, false, false, false, false]);
});
