import type { Provider } from "../spec/provider/provider.ts";
import type { OutputFormat, Wire } from "../spec/wire/wire.ts";

/** One wire for each output format; the wire of the provider's runs is first. */
export function wiresOf({ transports, recordedWires = [] }: Provider): readonly Wire[] {
  return [transports.spawn.wire, ...recordedWires];
}

/** The wire of a provider for an output format, or that of its resident transport; throws if there is none. */
export function wireOf(provider: Provider, format: OutputFormat | undefined, transport: "spawn" | "resident"): Wire {
  const { spawn, resident } = provider.transports;
  const wanted = format ?? spawn.wire.framing;
  const wire = transport === "resident" ? resident?.wire : wiresOf(provider).find(({ framing }) => framing === wanted);
  if (wire !== undefined) return wire;
  const lacks = transport === "resident" ? "has no resident transport" : `does not print ${wanted}`;
  throw new TypeError(`Provider "${provider.id}" ${lacks}.`);
}
