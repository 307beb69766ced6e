import { geminiStream } from "../clis/gemini/stream.ts";
import { grokStream } from "../clis/grok/messages.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { OutputFormat, Wire } from "../spec/wire/wire.ts";
import { geminiJson, geminiText } from "./formats/gemini.ts";
import { grokJson, grokLines } from "./formats/grok.ts";

/** The wires of formats for which Coxswain asks no CLI, by the wire of the provider's runs. They read recordings. */
const WITH_OTHER_FORMATS: ReadonlyMap<Wire, readonly Wire[]> = new Map<Wire, readonly Wire[]>([
  [geminiStream, [geminiStream, geminiJson, geminiText]],
  [grokStream, [grokLines, grokJson]],
]);

/** One wire for each output format; that of the format of the provider's runs is first. */
export function wiresOf({ transports, recordedWires = [] }: Provider): readonly Wire[] {
  const { wire } = transports.spawn;
  return [...(WITH_OTHER_FORMATS.get(wire) ?? [wire]), ...recordedWires];
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
