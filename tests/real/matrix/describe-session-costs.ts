import { expect, it } from "vitest";
import { createClient, type Session } from "../../../src/index.ts";
import { openRealCli } from "../open-real-cli.ts";

/** What each answer of the model uses. */
export const SPENT = { inputTokens: 1_000, outputTokens: 100 };

async function sendAll(session: Session, prompts: readonly string[]): Promise<readonly (readonly (number | undefined)[])[]> {
  const rows: (readonly (number | undefined)[])[] = [];
  for (const prompt of prompts) {
    const { usage, costUsd } = await session.send(prompt);
    expect(usage?.scope).toBe("turn");
    rows.push([usage?.totalTokens, costUsd]);
  }
  return rows;
}

/** The tests of what the turns of a session of claude cost. */
export function describeSessionCosts(): void {
  it("each turn of a session costs what it caused: in other processes, in a copy, and after a process that was stopped", async () => {
    const cli = await openRealCli("claude", { kind: "text", text: "Yes.", usage: SPENT });
    const session = cli.client.session({ target: "claude" });
    const turns = await sendAll(session, ["One?", "Two?", "Three?", "Four?"]);
    const [, cost = 0] = turns[0] ?? [];
    expect(cost).toBeGreaterThan(0);
    expect(turns).toEqual(Array(4).fill([1_100, cost]));
    const fork = session.fork();
    expect(await sendAll(fork, ["Five?", "Six?"])).toEqual(Array(2).fill([1_100, cost]));
    expect(fork.record.costUsd).toBeCloseTo(2 * cost, 10);
    // A kept process is ended by a signal, and newer versions then forget what it has counted.
    const warm = createClient({ env: cli.env, providers: [cli.provider], policies: false });
    const there = warm.resume(session.id);
    expect(there && (await sendAll(there, ["Seven?", "Eight?"]))).toEqual(Array(2).fill([1_100, cost]));
    await warm.close();
    const here = cli.client.resume(session.id);
    expect(here && (await sendAll(here, ["Nine?"]))).toEqual([[1_100, cost]]);
    expect(here?.record.costUsd).toBeCloseTo(7 * cost, 10);
    expect(here?.record.usage).toMatchObject({ totalTokens: 7 * 1_100 });
  });
}
