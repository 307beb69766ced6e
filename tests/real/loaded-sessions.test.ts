import { expect, it, onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { Wire } from "../../src/spec/wire/wire.ts";
import { expectHeard } from "./matrix/describe-session-turns.ts";
import { eventsOf, openRealCli, type RealRun } from "./open-real-cli.ts";
import { residentOf } from "./open-resident.ts";

const SAID = "Good evening.";
const KEPT = { keepsProcess: true };

it("a session of real codex stays loaded for its next turn, and every other process gets it when it asks for it", async () => {
  const cli = await openRealCli("codex", { kind: "text", text: SAID });
  const counts = { goneOn: 0 };
  const resident = residentOf(cli);
  const provider = {
    ...cli.provider,
    transports: { ...cli.provider.transports, resident: { ...resident, wire: countingWire(resident.wire, counts) } },
  };
  const open = (): Client => {
    const client = createClient({ policies: false, env: cli.env, providers: [provider] });
    onTestFinished(() => client.close());
    return client;
  };
  const [one, another] = [open(), open()];
  const ask = (client: Client, prompt: string, more: Partial<RunRequest> = {}): Promise<RealRun> =>
    cli.run({ prompt, system: "Be brief.", ...more } as RunRequest, { client, context: KEPT });
  const first = await ask(one, "One.", { session: { keep: true } });
  const session = { resume: eventsOf(first, "session-start")[0]?.sessionId ?? "" };

  const two = await ask(one, "Two.", { session });
  expect(first.failure ?? two.failure).toBeUndefined();
  expect(counts.goneOn).toBe(1);
  expectHeard(cli, "One.", SAID, "Two.");

  // Other settings, another client, and a process of its own: none of them goes on in a thread that was loaded for others.
  const turns = [
    await ask(one, "Three.", { session, system: "Be long." }),
    await ask(another, "Four.", { session }),
    await cli.run({ prompt: "Five.", session }, { client: one, target: { provider: "codex", transport: "spawn" } }),
  ];
  expect(turns.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
  expect(counts.goneOn).toBe(1);
  expectHeard(cli, "One.", "Two.", "Three.", "Four.", "Five.");
});

/** The wire, which counts the turns that continue the one before. */
function countingWire(wire: Wire, counts: { goneOn: number }): Wire {
  const connect: Wire["connect"] = (place) => {
    const connection = wire.connect(place);
    const begin = connection.start.bind(connection);
    const start: typeof begin = (...args) => {
      const { goOn, ...turn } = begin(...args);
      return {
        ...turn,
        goOn(request) {
          counts.goneOn += 1;
          return goOn?.(request) ?? { events: [] };
        },
      };
    };
    return Object.assign(connection, { start });
  };
  return { ...wire, connect };
}
