import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtinProviders } from "../../../src/clis/index.ts";
import type { Recording } from "../../../src/replay/replay.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { OutputFormat } from "../../../src/spec/wire/wire.ts";
import { type RecordedCase as CaseFolder, readRecordedCase } from "../../../src/testing/recorded-case.ts";

/** A recorded run of a real CLI with its expectations and its output format. */
export type RecordedCase = CaseFolder & {
  readonly name: string;
  readonly recording: Recording & { readonly format: OutputFormat };
};

const fixtures = fileURLToPath(new URL("../../../fixtures/", import.meta.url));

/** The names of the folders in fixtures/ or in the folder of one CLI. */
export function fixtureFolders(cli = ""): readonly string[] {
  const entries = readdirSync(`${fixtures}${cli}`, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Reads every recording of one CLI. */
export function readRecordedCases(cli: string): readonly RecordedCase[] {
  const format = providerOf(cli).transports.spawn.wire.framing;
  return fixtureFolders(cli).map((name) => {
    const { recording, expected } = readRecordedCase(`${fixtures}${cli}/${name}`);
    return { name, recording: { format, ...recording }, expected };
  });
}

/** The provider that is tested with a folder of fixtures. */
export function providerOf(cli: string): Provider {
  const provider = builtinProviders.find(({ id }) => id === cli);
  if (provider !== undefined) return provider;
  throw new Error(`fixtures/${cli} has no provider: add one with the id "${cli}" to src/clis/index.ts.`);
}
