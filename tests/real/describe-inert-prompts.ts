import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEEP_TRANSPORTS, type DeepCliName, prepareRealCli, type RealCli } from "../support/real-clis/real-cli.ts";
import { INERT_TABLE } from "./inert-table.ts";
import { plantProjects } from "./planted-surroundings.ts";
import { expectPureRequest } from "./pure-request.ts";

/** A CLI of the detailed tests among planted files. */
export type PlantedCli = { readonly name: DeepCliName; readonly cli: RealCli; readonly project: string };

/** These prompts of the table reach the model byte for byte; more tests of the same CLI may follow. */
export function describeInertPrompts(whats: readonly string[], more: (planted: () => PlantedCli) => void = () => {}): void {
  describe.each(DEEP_TRANSPORTS)("%s by %s gets a prompt unchanged", (name, transport) => {
    let planted: PlantedCli;
    beforeAll(async () => {
      const cli = await prepareRealCli(name, undefined, undefined, transport);
      planted = { name, cli, project: plantProjects(cli).project };
    });
    afterAll(() => planted.cli[Symbol.asyncDispose]());

    it.each(whats)(`${name} passes %s unchanged`, async (what) => {
      const prompt = INERT_TABLE[what];
      if (prompt === undefined) throw new Error(`the table has no ${what}`);
      await expectVerbatim(planted, prompt);
    });

    more(() => planted);
  });
}

/** The request contains the prompt, unchanged, and no other text of the CLI. */
export async function expectVerbatim({ name, cli, project }: PlantedCli, prompt: string): Promise<void> {
  const before = cli.api.modelRequests.length;
  const result = await cli.client.run(name, { prompt, env: { PWD: project } }).result();
  expect(result).toMatchObject({ text: "Hello from the fake model.", warnings: [], toolCalls: [] });
  expect(cli.api.modelRequests).toHaveLength(before + 1);
  expectPureRequest(name, cli.api.modelRequests[before], { prompt });
}
