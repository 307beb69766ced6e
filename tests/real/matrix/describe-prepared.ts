import { expect, it, vi } from "vitest";
import { isWarm, openWarm } from "../open-warm.ts";
import { expectPureRequest } from "../pure-request.ts";
import type { CliName } from "../real-cli.ts";
import { expectSameRequest } from "../same-request.ts";

/** The prompts that describePrepared leaves to `npm run test:real -- --all`. */
export const OTHER_PREPARED: readonly string[] = ["Hello", "@package.json --help"];

/** A process that waits for its prompt sends the same request as one that is started with it. */
export function describePrepared(name: CliName, prompts: readonly string[] = ["/help me"]): void {
  it(`a prepared process of ${name} sends the model what a new one sends, whatever the prompt begins with`, async () => {
    const { cli, client, run } = await openWarm(name);
    const system = "Answer in one word.";
    for (let call = 0; call < 2; call += 1) await run({ prompt: "Hello", system });
    for (const prompt of prompts) {
      await vi.waitFor(() => expect(client.warmProcesses().some(({ isPrepared }) => isPrepared)).toBe(true), 10_000);
      const before = cli.api.modelRequests.length;
      const prepared = await run({ prompt, system });
      expect([prompt, prepared.failure, isWarm(prepared)]).toEqual([prompt, undefined, true]);
      expect(cli.api.modelRequests).toHaveLength(before + 1);
      if (name === "codex") expectPureRequest(name, cli.api.modelRequests[before], { prompt, system });
      else {
        expect((await cli.run({ prompt, system })).failure).toBeUndefined();
        expectSameRequest(cli.api.modelRequests[before]?.body ?? null, cli.api.modelRequests[before + 1]?.body ?? null);
      }
    }
  });
}
