import { expect, it } from "vitest";
import type { Channel, ParkReason, TurnSink } from "./channel.ts";
import { OpenTurns, ParkedTurnSink } from "./open-turns.ts";

const reader = {} as TurnSink;

function parked(waitsFor: ParkReason): TurnSink {
  const unused = (): never => {
    throw new Error("not used here");
  };
  return new ParkedTurnSink({ channel: {} as Channel, waitsFor, resume: unused, giveUp: unused });
}

function openTurns(): { readonly turns: OpenTurns; readonly reports: boolean[] } {
  const reports: boolean[] = [];
  return { turns: new OpenTurns((awaitsHost) => void reports.push(awaitsHost)), reports };
}

it("a process waits for the host while one turn is parked for results, whatever its other turns do", () => {
  const { turns, reports } = openTurns();
  turns.set(1, parked("results"));
  turns.set(2, reader);
  turns.close(2);
  expect(reports).toEqual([true]);
  turns.set(1, reader);
  expect(reports).toEqual([true, false]);
});

it("a process waits for the host while a run owes it an answer; a closed turn owes none", () => {
  const { turns, reports } = openTurns();
  turns.set(1, reader);
  turns.set(2, reader);
  turns.setAsking(1, true);
  turns.setAsking(2, true);
  turns.setAsking(1, false);
  expect(reports).toEqual([true]);
  turns.close(2);
  turns.setAsking(2, true);
  expect(reports).toEqual([true, false]);
});

it("a process whose turn waits for the next message does not wait for the host", () => {
  const { turns, reports } = openTurns();
  turns.set(1, parked("message"));
  expect(reports).toEqual([]);
});
