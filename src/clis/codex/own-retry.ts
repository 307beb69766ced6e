import type { EventDraft } from "../../spec/wire/events.ts";

const RECONNECTING = /^Reconnecting\.\.\. (?:(\d+)\/(\d+)|waiting for network)(?: \((.*)\))?$/s;

/** How often Codex has waited for the network, which it does not count itself. */
export type NetworkWaits = { networkWaits: number };

/** The event for an error text that announces a retry of Codex's own; undefined for any other text. */
export function readOwnRetry(counts: NetworkWaits, message: string, status?: number): EventDraft | undefined {
  const match = RECONNECTING.exec(message);
  if (match === null) return undefined;
  const [, attempt, maxAttempts, reason] = match;
  if (attempt === undefined) counts.networkWaits += 1;
  return {
    type: "upstream-retry",
    attempt: attempt === undefined ? counts.networkWaits : Number(attempt),
    ...(maxAttempts !== undefined && { maxAttempts: Number(maxAttempts) }),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
  };
}
