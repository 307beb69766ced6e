import type { Provider } from "../spec/provider/provider.ts";
import type { OutputFormat, Wire } from "../spec/wire/wire.ts";

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
