import { expect, it, vi } from "vitest";
import type { CliName } from "../../support/real-clis/real-cli.ts";
import { isWarm, openWarm, type WarmCli } from "../open-warm.ts";
import { expectPureRequest } from "../pure-request.ts";
import { expectSameRequest } from "../same-request.ts";

/** A process that waits for its prompt sends the same request as one that is started with it. warm.test.ts has one prompt of each CLI. */
export function describePrepared(name: CliName, prompts: readonly string[]): void {
  it(`a prepared process of ${name} sends the model what a new one sends, whatever the prompt begins with`, async () => {
    const warm = await openWarm(name);
    const system = "Answer in one word.";
    for (let call = 0; call < 2; call += 1) await warm.run({ prompt: "Hello", system });
    for (const prompt of prompts) await expectSameOfPrepared(warm, { prompt, system });
  });
}

/** The process that is prepared after a call like this one sends what a new one sends. */
export async function expectSameOfPrepared(
  { cli, client, run }: WarmCli,
  request: { readonly prompt: string; readonly system: string },
): Promise<void> {
  await vi.waitFor(() => expect(client.warmProcesses().some(({ isPrepared }) => isPrepared)).toBe(true), 10_000);
  const before = cli.api.modelRequests.length;
  const prepared = await run(request);
  expect([request.prompt, prepared.failure, isWarm(prepared)]).toEqual([request.prompt, undefined, true]);
  expect(cli.api.modelRequests).toHaveLength(before + 1);
  if (cli.name === "codex") return expectPureRequest(cli.name, cli.api.modelRequests[before], request);
  expect((await cli.run(request)).failure).toBeUndefined();
  expectSameRequest(cli.api.modelRequests[before]?.body ?? null, cli.api.modelRequests[before + 1]?.body ?? null);
}
