import { expect } from "vitest";
import type { CliName } from "../../support/real-clis/real-cli.ts";
import { openRealCli } from "../open-real-cli.ts";

/** All of these CLIs, which run at the same time without a model, have a network failure. */
export async function expectUnreachable(names: readonly CliName[]): Promise<void> {
  const runs: Promise<void>[] = [];
  for (const name of names) {
    const cli = await openRealCli(name);
    await cli.api.close();
    runs.push(
      cli.run({ prompt: "Hello" }).then(({ failure }) =>
        expect(failure, name).toMatchObject({
          category: "network",
          code: "connection-failed",
          shouldRetry: true,
          shouldFallback: true,
        }),
      ),
    );
  }
  await Promise.all(runs);
}
