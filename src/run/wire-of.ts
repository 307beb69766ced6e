import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { OutputFormat, TurnBaseline, Wire } from "../spec/wire.ts";

/** The wires of a provider, that of its runs first; each reads another format. */
export function wiresOf({ transports, recordedWires = [] }: Provider): readonly Wire[] {
  return [transports.spawn.wire, ...recordedWires];
}

/** The wire that reads a format of a provider. */
export function wireOf(provider: Provider, format: OutputFormat): Wire {
  const wire = wiresOf(provider).find(({ framing }) => framing === format);
  if (wire === undefined) throw new TypeError(`Provider "${provider.id}" does not print ${format}.`);
  return wire;
}

/** What is known of the thread before a run; the totals of an earlier one are not known here. */
export function baselineOf({ session }: PromptRequest): TurnBaseline {
  const isNew = session === undefined || !("resume" in session || "fork" in session);
  return isNew ? { usageBefore: { estimated: false, scope: "thread" } } : {};
}
