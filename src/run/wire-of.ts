import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { OutputFormat, TurnBaseline, Wire } from "../spec/wire.ts";

/** All wires of a provider, one for each output format; the wire of its runs is first. */
export function wiresOf({ transports, recordedWires = [] }: Provider): readonly Wire[] {
  return [transports.spawn.wire, ...recordedWires];
}

/** The wire of a provider for an output format; throws if there is none. */
export function wireOf(provider: Provider, format: OutputFormat): Wire {
  const wire = wiresOf(provider).find(({ framing }) => framing === format);
  if (wire === undefined) throw new TypeError(`Provider "${provider.id}" does not print ${format}.`);
  return wire;
}

/** The token totals before a run: an empty usage for a new session, unknown for a resumed one. */
export function baselineOf({ session }: PromptRequest): TurnBaseline {
  const isNew = session === undefined || !("resume" in session || "fork" in session);
  return isNew ? { usageBefore: { estimated: false, scope: "thread" } } : {};
}
