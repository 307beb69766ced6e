import type { Provider } from "../spec/provider/provider.ts";
import type { OutputFormat, Wire } from "../spec/wire/wire.ts";

/** One wire for each output format; the wire of the provider's runs is first. */
export function wiresOf({ transports, recordedWires = [] }: Provider): readonly Wire[] {
  return [transports.spawn.wire, ...recordedWires];
}

/** Throws if the provider has no wire for the format. */
export function wireOf(provider: Provider, format: OutputFormat): Wire {
  const wire = wiresOf(provider).find(({ framing }) => framing === format);
  if (wire === undefined) throw new TypeError(`Provider "${provider.id}" does not print ${format}.`);
  return wire;
}
