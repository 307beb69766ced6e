import type { TotalsStore } from "../run/known-totals.ts";
import type { SessionRecord } from "../spec/session.ts";
import { damageOf } from "./read-record.ts";
import type { SessionStore } from "./session-store.ts";

/** The totals in the records of sessions, for runs that continue a session of a CLI without its record. */
export function totalsIn(store: SessionStore): TotalsStore {
  const recordsOf = (provider: string, session: string): readonly SessionRecord[] =>
    store.ofCli(session).filter(({ cli }) => cli?.provider === provider);
  return {
    read: (provider, session) => recordsOf(provider, session).flatMap(({ cli }) => cli?.totals ?? []),
    write: (provider, session, totals) => {
      for (const { id, cli } of recordsOf(provider, session))
        if (cli?.isFork !== true)
          changeRecord(store, id, (record) => ({ ...record, ...(record.cli && { cli: { ...record.cli, totals } }) }));
    },
  };
}

/** Changes a record that no turn uses. The run that has the totals does not fail because they cannot be stored. */
function changeRecord(store: SessionStore, id: string, change: (record: SessionRecord) => SessionRecord): void {
  try {
    const claim = store.claim(id);
    if ("pid" in claim) return;
    try {
      const record = store.read(id);
      if (record !== undefined && damageOf(record) === undefined) store.write(change(record));
    } finally {
      claim.release();
    }
  } catch {}
}
