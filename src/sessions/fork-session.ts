import type { SessionRecord } from "../spec/session.ts";
import { refuse } from "./refuse.ts";
import { newRecordId } from "./session-record.ts";
import type { TurnHost } from "./session-turn.ts";

/** Stores a copy of a session under a new id and returns its record; throws a RunError if the copy could not be continued. */
export function forkSession({ store, resolve, now }: TurnHost, original: SessionRecord, name: string | undefined): SessionRecord {
  const { id, name: _, cli, usage: __, costUsd: ___, ...rest } = original;
  if (name !== undefined && store.find(name) !== undefined)
    throw refuse("session-invalid", `There is already a session with the name ${JSON.stringify(name)}.`, {
      hint: "Choose another name.",
    });
  const canFork = cli !== undefined && resolve([cli])[0].provider?.options.includes("session-fork") === true;
  if (!canFork && original.turns > 0 && !original.keepsThread)
    throw refuse("option-unsupported", `The CLI cannot fork the session ${id}, and its thread is not stored.`, {
      hint: "Start the session with keepThread.",
    });
  const time = new Date(now()).toISOString();
  const fork: SessionRecord = {
    ...rest,
    id: newRecordId(name),
    ...(name !== undefined && { name }),
    ...(canFork && { cli: { ...cli, isFork: true } }),
    createdAt: time,
    updatedAt: time,
  };
  if (original.turns === 0) return fork;
  if (original.keepsThread) store.addTurn(fork.id, fork.turns, store.readThread(original));
  store.write(fork);
  return fork;
}
